//! Columns of components, for loops over agents.
//!
//! For a hundred thousand agents, fetching each row of a query takes longer than steering it. So
//! systems take the columns of whole tables and iterate by index. Columns can be split anywhere, so
//! any number of threads can share them.

use bevy::ecs::change_detection::{ContiguousComponentTicksMut, ContiguousMut, Tick};

use crate::simd::{Lanes, WIDTH, every, pack};

/// Columns of equal length that can be cut in two.
pub(crate) trait Columns: Sized + Send {
    /// The rows before `at`, and the others.
    fn split_at(self, at: usize) -> (Self, Self);
}

impl<T: Sync> Columns for &[T] {
    fn split_at(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl<T: Send> Columns for &mut [T] {
    fn split_at(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

/// A column that is missing in some tables.
impl<R: Columns> Columns for Option<R> {
    fn split_at(self, at: usize) -> (Self, Self) {
        self.map(|rows| rows.split_at(at)).unzip()
    }
}

/// Several columns of one type.
impl<R: Columns> Columns for Vec<R> {
    fn split_at(self, at: usize) -> (Self, Self) {
        self.into_iter().map(|column| column.split_at(at)).unzip()
    }
}

/// Cuts this many rows into pieces of at most `size`, given with their numbers of rows.
pub(crate) fn chunks<R: Columns>(
    rows: usize,
    table: R,
    size: usize,
) -> impl Iterator<Item = (usize, R)> {
    let mut left = Some((rows, table)).filter(|_| rows > 0);
    core::iter::from_fn(move || {
        let (rows, table) = left.take()?;
        let count = rows.min(size);
        let (piece, rest) = table.split_at(count);
        left = Some((rows - count, rest)).filter(|(rows, _)| *rows > 0);
        Some((count, piece))
    })
}

/// A value that all rows share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<T>(pub T);

impl<T: Copy + Send> Columns for Shared<T> {
    fn split_at(self, _: usize) -> (Self, Self) {
        (self, self)
    }
}

macro_rules! columns_for_tuple {
    ($($name:ident)+) => {
        impl<$($name: Columns),+> Columns for ($($name,)+) {
            #[allow(non_snake_case, reason = "named like their types")]
            fn split_at(self, at: usize) -> (Self, Self) {
                let ($($name,)+) = self;
                $(let $name = $name.split_at(at);)+
                (($($name.0,)+), ($($name.1,)+))
            }
        }
    };
}
columns_for_tuple!(A B);
columns_for_tuple!(A B C);
columns_for_tuple!(A B C D);
columns_for_tuple!(A B C D E);
columns_for_tuple!(A B C D E F);
columns_for_tuple!(A B C D E F G);

/// Implements [`Columns`] for a struct of columns.
macro_rules! columns_for_struct {
    ($name:ident { $($column:ident),+ }) => {
        impl $crate::ecs::Columns for $name<'_> {
            fn split_at(self, at: usize) -> (Self, Self) {
                $(let $column = $crate::ecs::Columns::split_at(self.$column, at);)+
                (Self { $($column: $column.0),+ }, Self { $($column: $column.1),+ })
            }
        }
    };
}
pub(crate) use columns_for_struct;

/// Defines a struct of columns that implements [`Columns`].
macro_rules! columns_struct {
    (
        $(#[$of_struct:meta])*
        $visibility:vis struct $name:ident<$life:lifetime> {
            $($(#[$of_field:meta])* $of_column:vis $column:ident: $type:ty,)+
        }
    ) => {
        $(#[$of_struct])*
        $visibility struct $name<$life> {
            $($(#[$of_field])* $of_column $column: $type,)+
        }

        $crate::ecs::columns_for_struct!($name { $($column),+ });
    };
}
pub(crate) use columns_struct;

/// Eight rows from `first`. An array, so that the compiler knows their number.
#[inline]
pub(crate) fn block<T>(rows: &[T], first: usize) -> &[T; WIDTH] {
    rows[first..].first_chunk().expect("a block of rows")
}

/// The eight rows from `first`, a multiple of eight: without a check where the compiler knows the
/// number of rows.
#[inline]
pub(crate) fn aligned<T>(rows: &[T], first: usize) -> &[T; WIDTH] {
    &rows.as_chunks().0[first / WIDTH]
}

/// [`aligned`], mutable.
#[inline]
pub(crate) fn aligned_mut<T>(rows: &mut [T], first: usize) -> &mut [T; WIDTH] {
    &mut rows.as_chunks_mut().0[first / WIDTH]
}

/// [`block`], mutable.
#[inline]
pub(crate) fn block_mut<T>(rows: &mut [T], first: usize) -> &mut [T; WIDTH] {
    rows[first..].first_chunk_mut().expect("a block of rows")
}

/// A column with change ticks, which marks the rows that change.
pub(crate) struct TrackedColumn<'a, T> {
    values: &'a mut [T],
    changed: &'a mut [Tick],
    now: Tick,
}

impl<T: Send> Columns for TrackedColumn<'_, T> {
    fn split_at(self, at: usize) -> (Self, Self) {
        let (values, other_values) = self.values.split_at_mut(at);
        let (changed, other_changed) = self.changed.split_at_mut(at);
        let now = self.now;
        (Self { values, changed, now }, Self { values: other_values, changed: other_changed, now })
    }
}

impl<T> TrackedColumn<'_, T> {
    /// The first `count` rows, so that the compiler knows their number.
    #[inline]
    pub(crate) fn first(self, count: usize) -> Self {
        let Self { values, changed, now } = self;
        Self { values: &mut values[..count], changed: &mut changed[..count], now }
    }
}

impl<T: PartialEq + Copy> TrackedColumn<'_, T> {
    #[inline]
    pub(crate) fn get(&self, row: usize) -> T {
        self.values[row]
    }

    /// Eight rows and their change ticks.
    #[inline]
    pub(crate) fn block(&mut self, first: usize) -> (&mut [T; WIDTH], ChangeMarks<'_>) {
        let ticks = aligned_mut(self.changed, first);
        (aligned_mut(self.values, first), ChangeMarks { ticks, now: self.now })
    }

    #[inline]
    pub(crate) fn set_if_neq(&mut self, row: usize, value: T) {
        if self.values[row] != value {
            self.values[row] = value;
            self.changed[row] = self.now;
        }
    }
}

/// The change ticks of eight rows.
pub(crate) struct ChangeMarks<'a> {
    ticks: &'a mut [Tick; WIDTH],
    now: Tick,
}

impl ChangeMarks<'_> {
    /// Marks these lanes as changed.
    #[inline(always)]
    pub(crate) fn set<L: Lanes>(&mut self, l: L, which: L::M) {
        // As the bits of floats, as lanes have no selection of integers.
        let before = pack!(l, i => f32::from_bits(self.ticks[i].get()));
        let now = l.splat(f32::from_bits(self.now.get()));
        let after = l.unpack(l.select(which, now, before));
        *self.ticks = every!(i => Tick::new(after[i].to_bits()));
    }
}

/// A column of a table with its change ticks, to be borrowed as [`TrackedColumn`].
pub(crate) struct Column<'w, T> {
    values: &'w mut [T],
    ticks: ContiguousComponentTicksMut<'w>,
}

impl<'w, T> From<ContiguousMut<'w, T>> for Column<'w, T> {
    fn from(column: ContiguousMut<'w, T>) -> Self {
        let (values, ticks) = ContiguousMut::bypass_change_detection_split(column);
        Self { values, ticks }
    }
}

impl<T> Column<'_, T> {
    pub(crate) fn reborrow(&mut self) -> TrackedColumn<'_, T> {
        let now = self.ticks.this_run();
        TrackedColumn { values: self.values, changed: self.ticks.changed_mut(), now }
    }
}

/// The values of a column, for changes without change detection.
pub(crate) fn untracked<T>(column: ContiguousMut<'_, T>) -> &mut [T] {
    ContiguousMut::bypass_change_detection_split(column).0
}
