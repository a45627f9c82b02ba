//! [`Request`]: which example, and its options.

/// Which example runs, and with which options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    /// The name of the example.
    pub(crate) example: String,
    /// Its command line, as `--seconds 5`, without the name.
    pub(crate) options: Vec<String>,
}

impl Request {
    /// Of a command line: the name of the example, then its options.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "the address is asked there"))]
    pub(crate) fn of_arguments(arguments: impl IntoIterator<Item = String>) -> Self {
        let mut arguments = arguments.into_iter();
        Self { example: arguments.next().unwrap_or_default(), options: arguments.collect() }
    }

    /// Of the query of an address: `?example=gallery&scene=flock&inspector` is the example
    /// `gallery` with the options `--scene=flock --inspector`.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code, reason = "for the browser"))]
    pub(crate) fn of_query(query: &str) -> Self {
        let mut request = Self::default();
        for (key, value) in form_urlencoded::parse(query.trim_start_matches('?').as_bytes()) {
            match (&*key, &*value) {
                ("example", name) => name.clone_into(&mut request.example),
                (key, "") => request.options.push(format!("--{key}")),
                (key, value) => request.options.push(format!("--{key}={value}")),
            }
        }
        request
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_and_a_command_line_ask_for_the_same() {
        let of_query = Request::of_query("?example=gallery&scene=flock&inspector");
        let arguments = ["gallery", "--scene=flock", "--inspector"].map(str::to_owned);
        assert_eq!(of_query, Request::of_arguments(arguments));
        assert_eq!(of_query.example, "gallery");
        assert_eq!(Request::of_query(""), Request::of_arguments([]));
        assert_eq!(Request::of_query("?example=a%20b").example, "a b");
    }
}
