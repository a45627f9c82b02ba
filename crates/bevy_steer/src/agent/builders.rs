//! Builder methods of components.

/// Methods that set a field: `with_mass(mass: f32);`.
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
