//! Splits Rust sources into identifiers and punctuation, without comments, literals' contents or
//! unit tests.

/// An identifier, a string literal with its quotes, or one character of punctuation.
pub(crate) type Token = String;

/// The tokens of a source, without its `#[cfg(test)]` items.
pub(crate) fn code_tokens(source: &str) -> Vec<Token> {
    without_unit_tests(tokens(source))
}

/// All tokens of a source.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let characters: Vec<char> = source.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let rest = &characters[at..];
        let length = match rest {
            ['/', '/', ..] => rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => block_comment(rest),
            [c, ..] if c.is_whitespace() => 1,
            ['"', ..] => string(rest, 0),
            ['r' | 'b', ..] if literal_prefix(rest).is_some() => {
                let (prefix, hashes) = literal_prefix(rest).expect("checked");
                prefix + string(&rest[prefix..], hashes)
            }
            ['\'', ..] => quote(rest),
            [c, ..] if is_word(*c) => rest.iter().take_while(|&&c| is_word(c)).count(),
            _ => 1,
        };
        let is_comment = matches!(rest, ['/', '/' | '*', ..]);
        if !is_comment && !rest[0].is_whitespace() {
            tokens.push(rest[..length].iter().collect());
        }
        at += length;
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match &rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of the prefix of a raw or byte string and its number of hashes: 4 and 2 of `br##"`.
fn literal_prefix(rest: &[char]) -> Option<(usize, usize)> {
    let letters = rest.iter().take_while(|&&c| matches!(c, 'b' | 'r')).count();
    let hashes = rest[letters..].iter().take_while(|&&c| c == '#').count();
    let is_string = letters <= 2 && rest.get(letters + hashes) == Some(&'"');
    (is_string && (hashes == 0 || rest[..letters].contains(&'r')))
        .then_some((letters + hashes, hashes))
}

/// The length of a string that begins here. With hashes it is raw and ends with as many.
fn string(rest: &[char], hashes: usize) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' if hashes == 0 => at += 2,
            '"' if rest[at + 1..].iter().take_while(|&&c| c == '#').count() >= hashes => {
                return at + 1 + hashes;
            }
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a character literal or lifetime that begins here.
fn quote(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', ..] => {
            let end = rest.iter().skip(3).position(|&c| c == '\'');
            end.map_or(rest.len(), |end| 3 + end + 1)
        }
        ['\'', _, '\'', ..] => 3,
        _ => 1 + rest[1..].iter().take_while(|&&c| is_word(c)).count(),
    }
}

fn without_unit_tests(tokens: Vec<Token>) -> Vec<Token> {
    const CFG_TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let is_test = tokens.len() - at >= CFG_TEST.len()
            && tokens[at..].iter().zip(CFG_TEST).all(|(token, cfg)| token == cfg);
        if is_test {
            at = end_of_item(&tokens, at + CFG_TEST.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// The place after the item that begins here: after its `;`, or after its block.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_hide_code() {
        let source = r##"a /* b /* c */ d */ "e \" f" r#"g " h"# 'i' '\n' &'j str b"k" // l"##;
        let expected =
            ["a", "\"e \\\" f\"", "r#\"g \" h\"#", "'i'", "'\\n'", "&", "'j", "str", "b\"k\""];
        assert_eq!(tokens(source), expected);
    }

    #[test]
    fn unit_tests_are_left_out() {
        let source =
            "use a; #[cfg(test)] mod tests { use b; fn c() {} } use d; #[cfg(test)] use e; f";
        assert_eq!(code_tokens(source), ["use", "a", ";", "use", "d", ";", "f"]);
    }
}
