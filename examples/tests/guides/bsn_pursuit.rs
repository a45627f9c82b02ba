use bevy::{
    ecs::template::{EntityTemplate, Template, template},
    prelude::*,
};
use bevy_steer::prelude::*;

fn pursue(prey: EntityTemplate) -> impl Scene {
    bsn! {
        template(move |context| Ok(Pursue::new(prey.build_template(context)?)))
    }
}

fn chase() -> impl SceneList {
    bsn_list! {
        #Hunter Vehicle @pursue(#Prey)
        --
        #Prey Vehicle Wander
    }
}

#[test]
fn one_agent_of_a_scene_pursues_another() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), bevy::scene::ScenePlugin));
    app.add_plugins(SteeringPlugin::default());
    app.world_mut().spawn_scene_list(chase()).unwrap();
    let mut prey = app.world_mut().query_filtered::<Entity, With<Wander>>();
    let prey = prey.single(app.world()).unwrap();
    let mut hunters = app.world_mut().query::<&Pursue>();
    assert_eq!(hunters.single(app.world()).unwrap().target, prey.into());
}
