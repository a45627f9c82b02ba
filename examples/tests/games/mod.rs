//! Two small games, written from the README and the guides alone: whatever they need from elsewhere
//! is missing there.

mod army;
mod guards;
