//! [`StateData`]: what state must offer so that any library can save and restore it.

use core::fmt::Debug;

use bevy::{prelude::*, reflect::GetTypeRegistration};

/// Data that can be cloned, compared, printed, inspected by reflection and, with the feature
/// `serialize`, written and read by serde.
///
/// A name for these bounds, which every component and resource shown to a
/// [`StateVisitor`](crate::StateVisitor) meets. Implemented for every type that meets them.
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
