//! The tokens of a source that count: no comments, no unit tests.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The tokens of a source without comments, doc comments and `#[cfg(test)]` items.
pub(crate) fn code(source: &str) -> TokenStream {
    without_tests(source.parse().expect("a source that Rust's lexer accepts"))
}

fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        let TokenTree::Group(group) = token else {
            kept.push(token);
            continue;
        };
        let attribute = attribute(&group);
        if attribute.starts_with("doc=") {
            // What is left of the attribute is a `#`, or `#!`, which means nothing to a reader.
            continue;
        }
        if attribute == "cfg(test)" {
            // The item ends with its block or a semicolon; a leftover semicolon does no harm.
            let _item = tokens.find(|token| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                token => token.to_string() == ";",
            });
            continue;
        }
        let inside = without_tests(group.stream());
        kept.push(Group::new(group.delimiter(), inside).into());
    }
    kept.into_iter().collect()
}

/// What stands between the brackets of an attribute, without spaces.
pub(crate) fn attribute(group: &Group) -> String {
    let is_attribute = group.delimiter() == Delimiter::Bracket;
    let text = if is_attribute { group.stream().to_string() } else { String::new() };
    text.replace(' ', "")
}

#[test]
fn comments_and_unit_tests_are_left_out() {
    let source = r##"
        //! A.
        /// B.
        fn f() { /* c */ g("d // e"); } // h
        #[cfg(test)] use i::{j, k};
        mod l { #[cfg(test)] mod tests { fn m() {} } fn n() {} }
        #[cfg(test)] fn o() {}
        struct P;
    "##;
    let kept = code(source).to_string().replace(['#', '!', ' ', ';'], "");
    assert_eq!(kept, r#"fnf(){g("d//e")}modl{fnn(){}}structP"#);
}
