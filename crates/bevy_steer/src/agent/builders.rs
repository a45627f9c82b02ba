//! Builder methods of components.

/// Builder methods that set a field each: `with_mass(mass: f32);` is a method `with_mass` that sets
/// the field `mass`. With `impl Into<…>` it takes whatever converts into the field's type: the
/// builder of an optional field takes a value, or `None`.
///
/// ```
/// /// How a ship sails.
/// #[derive(Default)]
/// struct Sail {
///     area: f32,
///     reef: Option<f32>,
/// }
///
/// impl Sail {
///     bevy_steer::builders! {
///         /// Sets the area, in square units.
///         with_area(area: f32);
///         /// Sets how much of it is reefed, 0 to 1.
///         with_reef(reef: impl Into<Option<f32>>);
///     }
/// }
///
/// let sail = Sail::default().with_area(20.0).with_reef(0.5);
/// assert_eq!((sail.area, sail.reef), (20.0, Some(0.5)));
/// assert_eq!(sail.with_reef(None).reef, None);
/// ```
#[macro_export]
macro_rules! builders {
    (@method [$($doc:literal)+] $name:ident $field:ident impl Into<$type:ty>) => {
        $(#[doc = $doc])+
        #[must_use]
        pub fn $name(mut self, $field: impl Into<$type>) -> Self {
            self.$field = $field.into();
            self
        }
    };
    (@method [$($doc:literal)+] $name:ident $field:ident $type:ty) => {
        $(#[doc = $doc])+
        #[must_use]
        pub fn $name(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    };
    ($($(#[doc = $doc:literal])+ $name:ident($field:ident: $($type:tt)+);)+) => {
        $($crate::builders!(@method [$($doc)+] $name $field $($type)+);)+
    };
}
pub(crate) use builders;
