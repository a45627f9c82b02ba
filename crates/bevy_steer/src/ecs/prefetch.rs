//! Reading ahead where only the data says where.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use prefetch_index::prefetch_index;

/// Data is requested this many places before it is used: further than a processor sees by itself.
pub(crate) const AHEAD: usize = 128;

/// These places in `data`, which is on its way from memory when they come.
pub(crate) fn read_ahead<T>(places: &[AtomicU32], data: &[T]) -> impl Iterator<Item = usize> {
    places.iter().enumerate().map(move |(i, place)| {
        let later = places.get(i + AHEAD).unwrap_or(place);
        prefetch_index(data, later.load(Relaxed) as usize);
        place.load(Relaxed) as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_in_order_also_outside_the_data() {
        for count in [0, 1, AHEAD, AHEAD + 1, 100] {
            let wanted: Vec<usize> = (0..count).map(|i| i * 7 % 100).collect();
            let places: Vec<_> = wanted.iter().map(|&place| AtomicU32::new(place as u32)).collect();
            for data in [&[1_u8; 100][..], &[]] {
                assert_eq!(read_ahead(&places, data).collect::<Vec<_>>(), wanted);
            }
        }
    }
}
