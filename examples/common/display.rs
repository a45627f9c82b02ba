//! Whether there is a display to open a window on, and something to draw with.

use bevy::tasks::block_on;

/// Why no window can be opened, in half a sentence; `None` if one can.
pub fn no_window_because() -> Option<String> {
    no_display().or_else(no_adapter)
}

#[cfg(not(all(unix, not(target_vendor = "apple"))))]
fn no_display() -> Option<String> {
    None
}

/// The examples are built for X11 (under Wayland through `XWayland`), which `DISPLAY` tells of.
#[cfg(all(unix, not(target_vendor = "apple")))]
fn no_display() -> Option<String> {
    let display = std::env::var("DISPLAY").unwrap_or_default();
    if display.is_empty() {
        return Some("there is no display (DISPLAY is not set)".to_owned());
    }
    let number = display.strip_prefix(':')?.split('.').next()?;
    let socket = format!("/tmp/.X11-unix/X{number}");
    let answers = std::os::unix::net::UnixStream::connect(&socket).is_ok();
    (!answers).then(|| format!("the display {display} does not answer"))
}

fn no_adapter() -> Option<String> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    adapter.is_err().then(|| "there is no graphics adapter to draw with".to_owned())
}
