//! [`Number`] and other values that code writes as a literal.

use core::time::Duration;

use bevy::reflect::PartialReflect;

/// A number as code.
pub(super) struct Number {
    text: String,
    /// The name of its type.
    of: &'static str,
}

impl Number {
    /// `None` for any other value.
    pub(super) fn of(value: &dyn PartialReflect) -> Option<Self> {
        macro_rules! of_types {
            ($($of:ident),*) => {
                $(if let Some(number) = value.try_downcast_ref::<$of>() {
                    return Some(Self::new(format!("{number:?}"), stringify!($of)));
                })*
            };
        }
        of_types!(f32, f64, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
        None
    }

    fn new(text: String, of: &'static str) -> Self {
        // Some numbers have no literal.
        let text = match text.as_str() {
            "NaN" => format!("{of}::NAN"),
            "inf" => format!("{of}::INFINITY"),
            "-inf" => format!("{of}::NEG_INFINITY"),
            _ => text,
        };
        Self { text, of }
    }

    /// For where the compiler infers the type.
    pub(super) fn plain(self) -> String {
        self.text
    }

    /// For where the compiler does not infer the type.
    pub(super) fn typed(self) -> String {
        if self.text.contains("::") { self.text } else { format!("{}_{}", self.text, self.of) }
    }

    /// As a field of a scene, which takes a number only where that has no sign; what is in braces
    /// is converted, so that its type is not inferred.
    pub(super) fn in_scene(self) -> String {
        let is_bare = self.text.starts_with(|c: char| c.is_ascii_digit());
        if is_bare { self.text } else { format!("{{{}}}", self.typed()) }
    }
}

/// A number, a truth value, a text or a time as code.
pub(super) fn literal(value: &dyn PartialReflect) -> Option<String> {
    if let Some(number) = Number::of(value) {
        return Some(number.plain());
    }
    if let Some(is_true) = value.try_downcast_ref::<bool>() {
        return Some(is_true.to_string());
    }
    if let Some(letter) = value.try_downcast_ref::<char>() {
        return Some(format!("{letter:?}"));
    }
    if let Some(text) = value.try_downcast_ref::<String>() {
        return Some(format!("String::from({text:?})"));
    }
    let time = value.try_downcast_ref::<Duration>()?;
    Some(format!("core::time::Duration::new({}, {})", time.as_secs(), time.subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_type_where_it_is_not_inferred() {
        let both = |value: &dyn PartialReflect| {
            let number = || Number::of(value).expect("a number");
            (number().typed(), number().in_scene())
        };
        let expected = |typed: &str, in_scene: &str| (typed.to_owned(), in_scene.to_owned());
        assert_eq!(both(&8.0_f32), expected("8.0_f32", "8.0"));
        assert_eq!(both(&-0.5_f32), expected("-0.5_f32", "{-0.5_f32}"));
        assert_eq!(both(&-3_i64), expected("-3_i64", "{-3_i64}"));
        assert_eq!(both(&1e-9_f64), expected("1e-9_f64", "1e-9"));
        assert_eq!(both(&f64::NEG_INFINITY), expected("f64::NEG_INFINITY", "{f64::NEG_INFINITY}"));
        assert_eq!(both(&f32::NAN), expected("f32::NAN", "{f32::NAN}"));
        assert!(Number::of(&true).is_none());
    }

    #[test]
    fn texts_and_times_are_exact() {
        let text = |value: &dyn PartialReflect| literal(value).expect("a literal");
        assert_eq!(text(&"a \"b\"".to_owned()), r#"String::from("a \"b\"")"#);
        let time = Duration::from_millis(1500);
        assert_eq!(text(&time), "core::time::Duration::new(1, 500000000)");
        assert_eq!([text(&'x'), text(&true), text(&7_u8)], ["'x'", "true", "7"]);
    }
}
