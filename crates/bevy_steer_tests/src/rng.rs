//! Random values for test worlds: sensible ones, or the worst that a float can hold.

use core::ops::Range;

use bevy::prelude::*;
use bevy_steer::{ObstacleShape, TurnLimits, prelude::*};
use proptest::test_runner::{Config, RngSeed};
use rand::RngExt;
use rand_pcg::Pcg32;

/// This number of cases of a property, the same ones on every run: a red test is then the fault of
/// the change that it is red on. Set `PROPTEST_RNG_SEED` and `PROPTEST_CASES` to look further.
pub fn cases(count: u32) -> Config {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = count;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(20);
    }
    config
}

/// Numbers that tend to break formulas.
pub const WORST: [f32; 18] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    1e38,
    1e30,
    -1e30,
    1e19,
    1e6,
    0.0,
    -0.0,
    -1.0,
    1.0,
    1e-6,
    1e-30,
    f32::MIN_POSITIVE,
    1e-45,
];

pub struct TestRng {
    stream: Pcg32,
    /// The share of numbers that are from [`WORST`].
    worst: f32,
}

impl TestRng {
    pub fn new(seed: u64, salt: u64) -> Self {
        // Neighbouring streams of one seed begin alike.
        let mixed = (seed ^ salt.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Self { stream: Pcg32::new(mixed, salt), worst: 0.0 }
    }

    #[must_use]
    pub fn with_worst(mut self, share: f32) -> Self {
        self.worst = share;
        self
    }

    pub fn chance(&mut self, chance: f32) -> bool {
        self.stream.random::<f32>() < chance
    }

    /// Whether it is time for something that only a hostile world has.
    pub fn is_hostile(&mut self) -> bool {
        self.chance(self.worst)
    }

    pub fn number(&mut self, range: Range<f32>) -> f32 {
        if self.is_hostile() {
            return self.pick(&WORST);
        }
        range.start + (range.end - range.start) * self.stream.random::<f32>()
    }

    pub fn index(&mut self, count: usize) -> usize {
        self.stream.random_range(0..count)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }

    /// A point of a box about the origin. In hostile worlds often one of a few spots, so that
    /// things coincide.
    pub fn point(&mut self, reach: f32) -> Vec3 {
        if self.is_hostile() && self.chance(0.5) {
            return self.pick(&[Vec3::ZERO, Vec3::ONE, Vec3::new(reach, 0.0, 0.0)]);
        }
        Vec3::from_array(core::array::from_fn(|_| self.number(-reach..reach)))
    }

    pub fn rotation(&mut self) -> Quat {
        let parts: [f32; 4] = core::array::from_fn(|_| self.number(-1.0..1.0));
        // `Quat::normalize` adds up in another order on another platform.
        let length = parts.iter().map(|part| part * part).sum::<f32>().sqrt();
        let is_normal = !self.is_hostile();
        Quat::from_array(parts.map(|part| if is_normal { part / length } else { part }))
    }

    pub fn layers(&mut self) -> SteeringLayers {
        SteeringLayers(self.pick(&[1, 2, 3, u32::MAX]))
    }

    pub fn shape(&mut self) -> ObstacleShape {
        match self.index(4) {
            0 => ObstacleShape::Sphere { radius: self.number(0.3..3.0) },
            1 => {
                let half_size = Vec3::from_array(core::array::from_fn(|_| self.number(0.3..2.0)));
                ObstacleShape::Box { half_size }
            }
            2 => ObstacleShape::Capsule {
                radius: self.number(0.2..1.5),
                half_length: self.number(0.2..2.0),
            },
            _ => ObstacleShape::Segment { start: self.point(3.0), end: self.point(3.0) },
        }
    }

    pub fn vehicle(&mut self) -> Vehicle {
        Vehicle {
            mass: self.number(0.2..5.0),
            max_speed: self.number(1.0..10.0),
            max_force: self.number(1.0..60.0),
            radius: self.number(0.1..1.0),
            response: self.number(0.0..0.3),
        }
    }

    pub fn blend(&mut self) -> Blend {
        let [first, second, third, fourth] = Priority::ALL.map(Some);
        Blend {
            weight: self.number(0.2..2.0),
            priority: self.pick(&[None, None, first, second, third, fourth]),
            enabled: self.chance(0.95),
        }
    }

    pub fn limits(&mut self) -> TurnLimits {
        TurnLimits {
            stop_angle: self.number(0.001..0.1),
            slow_angle: self.number(0.1..2.0),
            max_rate: self.number(0.5..9.0),
            max_accel: self.number(1.0..40.0),
            time_to_target: None,
        }
    }

    pub fn profile(&mut self) -> ArriveProfile {
        match self.index(3) {
            0 => ArriveProfile::SlowRadius(self.number(0.5..5.0)),
            1 => ArriveProfile::Deceleration(self.number(0.2..1.0)),
            _ => ArriveProfile::Braking,
        }
    }

    pub fn prediction(&mut self) -> Prediction {
        self.pick(&[Prediction::Distance, Prediction::OwnSpeed, Prediction::Intercept])
    }

    pub fn arbitration(&mut self) -> Arbitration {
        match self.index(4) {
            0 => Arbitration::WeightedSum,
            1 => Arbitration::Prioritized,
            2 => Arbitration::FirstActive { epsilon: self.number(0.0..1.0) },
            _ => Arbitration::Dithered {
                chances: core::array::from_fn(|_| self.number(0.1..1.0)),
                stream: default(),
            },
        }
    }

    pub fn bounds(&mut self) -> Bounds {
        let middle = self.point(5.0);
        let half = Vec3::from_array(core::array::from_fn(|_| self.number(5.0..30.0)));
        let edge = self.pick(&[BoundsEdge::Wrap, BoundsEdge::Bounce, BoundsEdge::Clamp]);
        Bounds::cuboid(middle - half, middle + half, edge)
    }
}
