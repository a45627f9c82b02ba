//! Bloom: bright things cast light on their surroundings.

use bevy::{
    post_process::bloom::{Bloom, BloomCompositeMode, BloomPrefilter},
    prelude::*,
    render::renderer::RenderAdapterInfo,
};
use wgpu::DeviceType;

use super::{game::Setup, mouse::ArenaCamera};

/// How much light is added around what is bright.
const INTENSITY: f32 = 0.3;
/// The least brightness of what casts light, in linear light: water casts none.
const THRESHOLD: f32 = 0.3;

/// Adds bloom to the camera if the renderer runs on graphics hardware, or if the command line asks
/// for it. A processor would need longer for it than for the rest of the frame.
pub(super) fn add(
    camera: Single<Entity, With<ArenaCamera>>,
    adapter: Option<Res<RenderAdapterInfo>>,
    setup: Res<Setup>,
    mut commands: Commands,
) {
    let has_hardware = adapter.is_some_and(|adapter| adapter.device_type != DeviceType::Cpu);
    if !has_hardware && !setup.options.bloom {
        return;
    }
    // Light is only added, so that dark colours stay as they are.
    commands.entity(*camera).insert(Bloom {
        intensity: INTENSITY,
        // Light does not reach far: a school in flight does not colour the sea around it.
        low_frequency_boost: 0.3,
        prefilter: BloomPrefilter { threshold: THRESHOLD, threshold_softness: 0.5 },
        composite_mode: BloomCompositeMode::Additive,
        ..Bloom::OLD_SCHOOL
    });
}

#[cfg(test)]
mod tests {
    use wgpu::{AdapterInfo, Backend};

    use super::*;
    use crate::hunter_prey::options::Options;

    /// Whether the camera gets bloom.
    fn has_bloom(renderer: Option<DeviceType>, bloom: bool) -> bool {
        let mut world = World::new();
        let camera = world.spawn(ArenaCamera).id();
        world.insert_resource(Setup { options: Options { bloom, ..Options::default() } });
        if let Some(device) = renderer {
            let adapter = AdapterInfo::new(device, Backend::Vulkan);
            world.insert_resource(RenderAdapterInfo::new(adapter));
        }
        world.run_system_cached(add).expect("a system that runs");
        world.entity(camera).contains::<Bloom>()
    }

    #[test]
    fn bloom_is_for_graphics_hardware_and_on_demand() {
        assert!(has_bloom(Some(DeviceType::DiscreteGpu), false));
        assert!(has_bloom(Some(DeviceType::IntegratedGpu), false));
        assert!(!has_bloom(Some(DeviceType::Cpu), false));
        assert!(!has_bloom(None, false), "nothing is drawn");
        assert!(has_bloom(Some(DeviceType::Cpu), true));
    }
}
