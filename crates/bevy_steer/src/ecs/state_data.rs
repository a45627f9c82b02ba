//! [`StateData`]: the traits of state that any library can save and restore.

use core::fmt::Debug;

use bevy::{prelude::*, reflect::GetTypeRegistration};

/// Data that can be cloned, compared, printed, inspected by reflection and, with the feature
/// `serialize`, written and read by serde.
///
/// A name for these bounds, which all components and resources of a
/// [`StateVisitor`](crate::StateVisitor) satisfy. Implemented for every type that satisfies them.
pub trait StateData:
    Clone + PartialEq + Debug + Reflect + TypePath + GetTypeRegistration + Serde
{
}

impl<T> StateData for T where
    T: Clone + PartialEq + Debug + Reflect + TypePath + GetTypeRegistration + Serde
{
}

/// serde's traits with the feature `serialize`, and nothing without it.
#[cfg(feature = "serialize")]
pub trait Serde: serde::Serialize + serde::de::DeserializeOwned {}

#[cfg(feature = "serialize")]
impl<T: serde::Serialize + serde::de::DeserializeOwned> Serde for T {}

/// serde's traits with the feature `serialize`, and nothing without it.
#[cfg(not(feature = "serialize"))]
pub trait Serde {}

#[cfg(not(feature = "serialize"))]
impl<T> Serde for T {}
