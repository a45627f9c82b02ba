use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_inspector::SteeringInspectorPlugin;

fn plugin(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), SteeringInspectorPlugin::default()));
}

#[test]
fn the_panel_is_open_at_the_start_as_the_readme_says() {
    assert!(
        SteeringInspectorPlugin::default().open
            && !SteeringInspectorPlugin::default().closed().open
    );
    // It needs a window: that it can be added is what is tested here.
    let _: fn(&mut App) = plugin;
}
