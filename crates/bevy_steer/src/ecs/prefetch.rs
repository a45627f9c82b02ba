//! Reading where only the data says where.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Data is asked for so many places before it is used. A processor reads ahead by itself too, but no farther than its list of
/// instructions reaches, which is a few places.
pub(crate) const AHEAD: usize = 128;

/// Asks memory for a place in `data`, to the second nearest cache: the nearest waits for few places at a time, and with a
/// million agents nearly all are far away.
#[inline(always)]
pub(crate) fn ask_for<T>(data: &[T], place: usize) {
    #[cfg(target_feature = "sse")]
    if let Some(wanted) = data.get(place) {
        safe_arch::prefetch_t1(wanted);
    }
    #[cfg(not(target_feature = "sse"))]
    prefetch_index::prefetch_index(data, place);
}

/// These places in `data`, which is on its way from memory when they come.
#[inline(always)]
pub(crate) fn read_ahead<T>(places: &[AtomicU32], data: &[T]) -> impl Iterator<Item = usize> {
    places.iter().enumerate().map(move |(i, place)| {
        let later = places.get(i + AHEAD).unwrap_or(place);
        ask_for(data, later.load(Relaxed) as usize);
        place.load(Relaxed) as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_in_their_order_whether_the_data_has_them_or_not() {
        for count in [0, 1, AHEAD, AHEAD + 1, 100] {
            let wanted: Vec<usize> = (0..count).map(|i| i * 7 % 100).collect();
            let places: Vec<_> = wanted.iter().map(|&place| AtomicU32::new(place as u32)).collect();
            for data in [&[1_u8; 100][..], &[]] {
                assert_eq!(read_ahead(&places, data).collect::<Vec<_>>(), wanted);
            }
        }
    }
}
