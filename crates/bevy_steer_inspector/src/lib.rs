//! An egui panel that shows and tunes the steering behaviours of `bevy_steer`.
