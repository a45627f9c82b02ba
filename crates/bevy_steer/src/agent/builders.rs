//! Builder methods of components.

/// Builder methods that set a field each: `with_mass(mass: f32);` is a method `with_mass` that sets
/// the field `mass`.
///
/// ```
/// /// How a ship sails.
/// #[derive(Default)]
/// struct Sail {
///     area: f32,
/// }
///
/// impl Sail {
///     bevy_steer::builders! {
///         /// Sets the area, in square units.
///         with_area(area: f32);
///     }
/// }
///
/// assert_eq!(Sail::default().with_area(20.0).area, 20.0);
/// ```
#[macro_export]
macro_rules! builders {
    ($($(#[doc = $doc:literal])+ $name:ident($field:ident: $type:ty);)+) => {
        $(
            $(#[doc = $doc])+
            #[must_use]
            pub fn $name(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            }
        )+
    };
}
pub(crate) use builders;
