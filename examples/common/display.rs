//! Checks whether a window can be opened and drawn to.

use bevy::tasks::block_on;

/// The reason why no window can be opened, as a clause; `None` if one can be.
pub fn no_window_reason() -> Option<String> {
    no_display_reason().or_else(no_adapter_reason)
}

#[cfg(not(all(unix, not(target_vendor = "apple"))))]
fn no_display_reason() -> Option<String> {
    None
}

/// The examples are built for X11 (under Wayland through `XWayland`): `DISPLAY` names the display.
#[cfg(all(unix, not(target_vendor = "apple")))]
fn no_display_reason() -> Option<String> {
    let display = std::env::var("DISPLAY").unwrap_or_default();
    if display.is_empty() {
        return Some("there is no display (DISPLAY is not set)".to_owned());
    }
    let number = display.strip_prefix(':')?.split('.').next()?;
    let socket = format!("/tmp/.X11-unix/X{number}");
    let answers = std::os::unix::net::UnixStream::connect(&socket).is_ok();
    (!answers).then(|| format!("the display {display} does not answer"))
}

fn no_adapter_reason() -> Option<String> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    adapter.is_err().then(|| "there is no graphics adapter".to_owned())
}
