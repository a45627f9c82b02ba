use bevy::prelude::*;
use bevy_steer::prelude::*;

const PREY: SteeringLayers = SteeringLayers::layer(1);

/// One system on all threads: each hunter chooses among the five nearest.
fn choose(mut hunters: Query<(&Transform, &mut Seek)>, neighbors: Neighbors) {
    hunters.par_iter_mut().for_each(|(transform, mut seek)| {
        let query = NeighborQuery::at(transform.translation).with_layers(PREY);
        let near = neighbors.nearest_k(query, 5, 50.0);
        let slowest = near.iter().min_by(|a, b| {
            let [a, b] = [a, b].map(|prey| prey.velocity.length_squared());
            a.total_cmp(&b)
        });
        seek.target = slowest.map_or(Target::None, |prey| prey.entity.into());
    });
}

fn plugin(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_systems(SteeringSchedule, choose.in_set(SteeringSystems::Decide));
}

#[test]
fn each_hunter_chooses_the_slowest_prey_near_it() {
    use bevy_steer::Velocity;

    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin);
    let world = app.world_mut();
    let prey = |x: f32, speed: f32| {
        let motion = (Velocity(Vec3::Y * speed), WhenIdle::Coast);
        (Vehicle::new(5.0), PREY, motion, Transform::from_xyz(x, 0.0, 0.0))
    };
    let slow = [world.spawn(prey(20.0, 1.0)).id(), world.spawn(prey(980.0, 1.0)).id()];
    [10.0, 15.0, 990.0].into_iter().for_each(|x| _ = world.spawn(prey(x, 4.0)));
    let hunters = [0.0, 1000.0].map(|x| {
        let place = Transform::from_xyz(x, 0.0, 0.0);
        world.spawn((Vehicle::new(6.0), Seek::default(), place)).id()
    });
    (0..30).for_each(|_| app.update());
    for (hunter, slow) in hunters.into_iter().zip(slow) {
        assert_eq!(app.world().get::<Seek>(hunter).unwrap().target, slow.into());
    }
}
