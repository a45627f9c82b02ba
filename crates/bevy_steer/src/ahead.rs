//! Reading where only the data says where.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use prefetch_index::prefetch_index;

/// Data is asked for so many places before it is used. A processor reads ahead by itself too, but no farther than its list of
/// instructions reaches, which is a few places.
const AHEAD: usize = 32;

/// These places in `data`, which is on its way from memory when they come.
#[inline(always)]
pub(crate) fn read_ahead<T>(places: &[AtomicU32], data: &[T]) -> impl Iterator<Item = usize> {
    places.iter().enumerate().map(move |(i, place)| {
        let later = places.get(i + AHEAD).unwrap_or(place);
        prefetch_index(data, later.load(Relaxed) as usize);
        place.load(Relaxed) as usize
    })
}
