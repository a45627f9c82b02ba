//! Arrays that are read side by side.

use crate::simd::lanes::WIDTH;

/// Numbers, one per point, and a few unused ones behind, so that a full set of lanes can be read
/// anywhere.
///
/// Large allocations all begin at the same offset of a page, and caches have few places for
/// addresses of equal offset: a dozen arrays read at the same index would evict each other. So each
/// begins a little later.
#[derive(Debug, Default)]
pub(crate) struct PaddedColumn {
    data: Vec<f32>,
    skipped: usize,
}

/// By how many numbers one array begins later than the one before it.
const STAGGER: usize = 80;

impl PaddedColumn {
    /// Makes room for `count` numbers of unspecified value. `position` counts the arrays.
    pub(crate) fn resize(&mut self, count: usize, position: usize) {
        self.skipped = position * STAGGER;
        self.data.resize(self.skipped + count + WIDTH, 0.0);
    }

    pub(crate) fn get(&self) -> &[f32] {
        self.data.get(self.skipped..).unwrap_or_default()
    }

    /// Without the padding.
    pub(crate) fn get_mut(&mut self) -> &mut [f32] {
        let end = self.data.len().saturating_sub(WIDTH);
        self.data.get_mut(self.skipped..end).unwrap_or_default()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.data.capacity() * size_of::<f32>()
    }
}

/// Values by entry that are usually the same for all.
#[derive(Debug)]
pub(crate) enum PerEntry<T> {
    Shared(T),
    Each(Vec<T>),
}

impl<T: Copy + PartialEq + Default> Default for PerEntry<T> {
    fn default() -> Self {
        Self::Shared(T::default())
    }
}

impl<T: Copy + PartialEq + Default> PerEntry<T> {
    /// The value of an entry, which is computed only if it matters.
    #[inline(always)]
    pub(crate) fn get(&self, entry: impl FnOnce() -> usize) -> T {
        match self {
            Self::Shared(value) => *value,
            Self::Each(values) => values[entry()],
        }
    }

    /// The value of all, if they share it.
    pub(crate) fn same(&self) -> Option<T> {
        if let Self::Shared(value) = self { Some(*value) } else { None }
    }

    /// The values by entry, if they differ.
    pub(crate) fn each(&self) -> Option<&[T]> {
        if let Self::Each(values) = self { Some(values) } else { None }
    }

    /// Takes these values; `same` says that all equal it.
    pub(crate) fn collect(&mut self, same: Option<T>, values: impl Iterator<Item = T>) {
        match (same, self) {
            (Some(value), kept) => *kept = Self::Shared(value),
            (None, Self::Each(kept)) => {
                kept.clear();
                kept.extend(values);
            }
            (None, kept) => *kept = Self::Each(values.collect()),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        if let Self::Each(values) = self { values.capacity() * size_of::<T>() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_values_are_kept_once_and_others_by_entry() {
        let mut layers = PerEntry::<u32>::default();
        assert_eq!((layers.same(), layers.get(|| 7)), (Some(0), 0));
        layers.collect(Some(3), [3, 3].into_iter());
        assert_eq!((layers.same(), layers.get(|| 7)), (Some(3), 3));
        for values in [[3, 5, 3], [4, 4, 6]] {
            layers.collect(None, values.into_iter());
            assert_eq!(layers.same(), None);
            assert_eq!([0, 1, 2].map(|entry| layers.get(|| entry)), values);
        }
    }
}
