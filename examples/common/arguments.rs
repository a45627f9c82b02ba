//! Numbers on the command lines.

use core::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// A number in a range.
///
/// # Errors
/// If the text is none.
pub fn number<T>(text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.parse::<T>().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be a number from {} to {}", range.start(), range.end()))
}

/// The length of a run, in seconds.
///
/// # Errors
/// If the text is no such number.
pub fn seconds(text: &str) -> Result<f32, String> {
    number(text, 0.001..=1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_errors() {
        assert_eq!(seconds("2.5"), Ok(2.5));
        assert_eq!(seconds("1000000"), Ok(1e6));
        for text in ["0", "-1", "1000001", "1e30", "1e300", "inf", "NaN", "", "many"] {
            let error = "must be a number from 0.001 to 1000000";
            assert_eq!(seconds(text), Err(error.to_owned()), "{text}");
        }
    }
}
