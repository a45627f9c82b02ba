//! Gives an agent any of the built-in behaviours, with random parameters.
//!
//! Nothing here names a behaviour: fields are found by reflection and filled by their type.

use core::any::TypeId;
use std::sync::LazyLock;

use bevy::{
    prelude::*,
    reflect::{
        PartialReflect, ReflectMut, TypeInfo,
        enums::{DynamicEnum, DynamicVariant, EnumInfo, VariantInfo},
        structs::DynamicStruct,
        tuple::DynamicTuple,
    },
};
use bevy_steer::{
    BehaviorVisitor, Length, Path, RandomStream, StandingPlace, prelude::*,
    visit_built_in_behaviors,
};

use crate::{rng::TestRng, worlds::Motion};

/// Calls `visit` for each built-in behaviour with its place in the list, its name and its fields.
fn for_each(visit: impl FnMut(u32, &'static str, &'static TypeInfo)) {
    struct Visitor<F>(u32, F);
    impl<F: FnMut(u32, &'static str, &'static TypeInfo)> BehaviorVisitor for Visitor<F> {
        fn visit<B: SteeringBehavior + Clone + Default>(&mut self) {
            let info = B::default().get_represented_type_info().expect("a reflected type");
            (self.1)(self.0, B::name(), info);
            self.0 += 1;
        }
    }
    visit_built_in_behaviors(&mut Visitor(0, visit));
}

/// The names of the built-in behaviours, in the order of their bits in a mask.
pub fn names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let mut names = Vec::new();
        for_each(|_, name, _| names.push(name));
        names
    });
    &NAMES
}

/// How many behaviours there are, one bit each in a mask.
pub fn count() -> u32 {
    names().len() as u32
}

/// The mask of all behaviours.
pub fn all() -> u64 {
    (1 << count()) - 1
}

/// The mask of the behaviours with these names.
pub fn mask(wanted: &[&str]) -> u64 {
    let bit = |name: &&str| names().iter().position(|known| known == name).expect("a behaviour");
    wanted.iter().fold(0, |mask, name| mask | 1 << bit(name))
}

/// The mask of the behaviours that have a field of this type.
pub fn with_field(type_id: TypeId) -> u64 {
    let mut mask = 0;
    for_each(|bit, _, info| {
        let fields = info.as_struct().expect("a struct").iter();
        if fields.into_iter().any(|field| field.type_id() == type_id) {
            mask |= 1 << bit;
        }
    });
    mask
}

/// The mask of the behaviours that draw random numbers.
pub fn with_random_stream() -> u64 {
    with_field(TypeId::of::<RandomStream>())
}

/// A behaviour with default parameters that has something to do with a target at a few units'
/// distance.
pub fn example<B: SteeringBehavior + Default>(target: Entity) -> B {
    let mut behavior = B::default();
    let ReflectMut::Struct(fields) = behavior.reflect_mut() else { panic!("not a struct") };
    for i in 0..fields.field_len() {
        let field = fields.field_at_mut(i).expect("a field");
        if let Some(field) = field.try_downcast_mut::<Target>() {
            *field = target.into();
        } else if let Some(field) = field.try_downcast_mut::<Bearing>() {
            *field = Bearing::Like(target);
        } else if let Some(field) = field.try_downcast_mut::<Path>() {
            *field = Path::new([Vec2::X, Vec2::new(4.0, 3.0), Vec2::ONE]);
        } else if let Some(field) = field.try_downcast_mut::<Option<f32>>() {
            *field = Some(9.0);
        }
    }
    behavior
}

/// Gives an agent the [`example`] of the behaviour with this bit.
pub fn give_example(agent: &mut EntityWorldMut, bit: u32, target: Entity) {
    struct Give<'a, 'w>(u32, &'a mut EntityWorldMut<'w>, Entity);
    impl BehaviorVisitor for Give<'_, '_> {
        fn visit<B: SteeringBehavior + Clone + Default>(&mut self) {
            if self.0 == 0 {
                self.1.insert(example::<B>(self.2));
            }
            self.0 = self.0.wrapping_sub(1);
        }
    }
    visit_built_in_behaviors(&mut Give(bit, agent, target));
}

/// Behaviours with random parameters: sensible ones, and as many of the worst values as the random
/// numbers have.
pub struct RandomBehaviors<'a> {
    pub rng: TestRng,
    pub motion: &'a Motion,
    /// How far from the origin places are, in units.
    pub reach: f32,
    /// What may be a target, save one.
    pub targets: &'a [Entity],
    pub except: Option<Entity>,
}

impl RandomBehaviors<'_> {
    /// Gives an agent the behaviour of this bit.
    pub fn give(&mut self, agent: &mut EntityWorldMut, bit: u32) {
        struct Give<'a, 'b, 'w>(u32, &'a mut RandomBehaviors<'b>, &'a mut EntityWorldMut<'w>);
        impl BehaviorVisitor for Give<'_, '_, '_> {
            fn visit<B: SteeringBehavior + Clone + Default>(&mut self) {
                if self.0 == 0 {
                    self.2.insert(self.1.behavior::<B>());
                }
                self.0 = self.0.wrapping_sub(1);
            }
        }
        visit_built_in_behaviors(&mut Give(bit, self, agent));
    }

    /// A behaviour with all its parameters chosen at random.
    ///
    /// What it remembers keeps its default in a sensible world.
    pub fn behavior<B: SteeringBehavior + Default>(&mut self) -> B {
        let mut behavior = B::default();
        self.fill(behavior.as_partial_reflect_mut());
        behavior
    }

    fn fill(&mut self, value: &mut dyn PartialReflect) {
        if self.fill_known(value) {
            return;
        }
        if let Some(TypeInfo::Enum(info)) = value.get_represented_type_info() {
            return self.choose_variant(value, info);
        }
        match value.reflect_mut() {
            ReflectMut::Struct(fields) => {
                // The offset is in the frame of the target. A point has none that would turn with
                // the world.
                if let Some(offset) = fields.field_mut("offset") {
                    offset.apply(&self.rng.point(3.0));
                    fields.field_mut("target").expect("of it").apply(&self.entity_target());
                }
                let has_offset = fields.field("offset").is_some();
                for i in 0..fields.field_len() {
                    let is_done =
                        has_offset && matches!(fields.name_at(i), Some("offset" | "target"));
                    if !is_done {
                        self.fill(fields.field_at_mut(i).expect("a field"));
                    }
                }
            }
            ReflectMut::TupleStruct(fields) => {
                for i in 0..fields.field_len() {
                    self.fill(fields.field_mut(i).expect("a field"));
                }
            }
            ReflectMut::Array(values) => {
                (0..values.len()).for_each(|i| self.fill(values.get_mut(i).expect("a value")));
            }
            ReflectMut::Opaque(_) => {}
            _ => panic!("what is a random {}?", value.reflect_type_path()),
        }
    }

    /// Fills a value of a type that is known here.
    fn fill_known(&mut self, value: &mut dyn PartialReflect) -> bool {
        if let Some(number) = value.try_downcast_mut::<f32>() {
            // Around the default. What is zero by default is mostly not a parameter but a memory.
            if *number != 0.0 || self.rng.is_hostile() {
                *number = self.rng.number(0.4 * *number..1.8 * *number);
            }
        } else if let Some(number) = value.try_downcast_mut::<u32>() {
            if self.rng.is_hostile() {
                *number = self.rng.pick(&[0, 1, 7, u32::MAX]);
            }
        } else if let Some(number) = value.try_downcast_mut::<usize>() {
            if self.rng.is_hostile() {
                *number = self.rng.pick(&[0, 1, 7, usize::MAX]);
            }
        } else if let Some(flag) = value.try_downcast_mut::<bool>() {
            *flag ^= self.rng.is_hostile();
        } else if let Some(vector) = value.try_downcast_mut::<Vec3>() {
            if self.rng.is_hostile() {
                *vector = self.rng.point(self.reach);
            }
        } else if let Some(length) = value.try_downcast_mut::<Length>() {
            *length = self.length(length.in_units(&Vehicle::default()));
        } else if let Some(distance) = value.try_downcast_mut::<Option<f32>>() {
            *distance = self.rng.chance(0.7).then(|| self.rng.number(2.0..20.0));
        } else if let Some(entity) = value.try_downcast_mut::<Option<Entity>>() {
            if self.rng.is_hostile() {
                *entity = self.entity();
            }
        } else if let Some(layers) = value.try_downcast_mut::<Option<SteeringLayers>>() {
            *layers = self.rng.chance(0.5).then(|| self.rng.layers());
        } else if let Some(layers) = value.try_downcast_mut::<SteeringLayers>() {
            *layers = self.rng.layers();
        } else if let Some(blend) = value.try_downcast_mut::<Blend>() {
            *blend = self.rng.blend();
        } else if let Some(target) = value.try_downcast_mut::<Target>() {
            *target = self.target();
        } else if let Some(bearing) = value.try_downcast_mut::<Bearing>() {
            *bearing = self.bearing();
        } else if let Some(path) = value.try_downcast_mut::<Path>() {
            *path = self.path();
        } else {
            return false;
        }
        true
    }

    /// Makes an enum one of its variants, with random fields.
    fn choose_variant(&mut self, value: &mut dyn PartialReflect, info: &EnumInfo) {
        let variant = info.variant_at(self.rng.index(info.variant_len())).expect("a variant");
        let fields = match variant {
            VariantInfo::Unit(_) => DynamicVariant::Unit,
            VariantInfo::Tuple(fields) => {
                let mut tuple = DynamicTuple::default();
                for field in fields.iter() {
                    tuple.insert_boxed(self.variant_field(field.type_id(), variant.name()));
                }
                DynamicVariant::Tuple(tuple)
            }
            VariantInfo::Struct(fields) => {
                let mut named = DynamicStruct::default();
                for field in fields.iter() {
                    let value = self.variant_field(field.type_id(), variant.name());
                    named.insert_boxed(field.name(), value);
                }
                DynamicVariant::Struct(named)
            }
        };
        value.apply(&DynamicEnum::new(variant.name(), fields));
    }

    /// There is no default to go by: times, angles, ratios and small lengths are all about one.
    fn variant_field(&mut self, type_id: TypeId, variant: &str) -> Box<dyn PartialReflect> {
        if type_id == TypeId::of::<Length>() {
            return Box::new(self.length(1.0));
        }
        if type_id == TypeId::of::<Vec3>() {
            return Box::new(self.motion.point(self.rng.point(self.reach)));
        }
        if type_id == TypeId::of::<StandingPlace>() {
            let position = self.motion.point(self.rng.point(self.reach));
            return Box::new(StandingPlace { position, largest: self.rng.number(0.3..2.0) });
        }
        assert_eq!(type_id, TypeId::of::<f32>(), "what is a random {variant}?");
        Box::new(self.rng.number(0.3..2.0))
    }

    /// About this many units, or as many radii of the default vehicle.
    fn length(&mut self, units: f32) -> Length {
        let units = self.rng.number(0.4 * units..1.8 * units);
        let radius = Vehicle::default().radius;
        if self.rng.chance(0.5) { Length::Units(units) } else { Length::Radii(units / radius) }
    }

    fn target(&mut self) -> Target {
        match self.rng.index(4) {
            0 => self.motion.point(self.rng.point(self.reach)).into(),
            1 => self.entity_target(),
            2 => Target::all(self.rng.layers(), self.rng.number(3.0..40.0)),
            _ => Target::nearest(self.rng.layers(), self.rng.number(3.0..40.0)),
        }
    }

    fn entity(&mut self) -> Option<Entity> {
        let picked = self.rng.pick(self.targets);
        (Some(picked) != self.except).then_some(picked)
    }

    fn entity_target(&mut self) -> Target {
        let nearest = Target::nearest(SteeringLayers::ALL, 1e6);
        self.entity().map_or(nearest, Target::Entity)
    }

    fn bearing(&mut self) -> Bearing {
        match self.rng.index(3) {
            0 => Bearing::Angle(self.rng.number(-3.0..3.0) + self.motion.angle),
            1 => {
                let ahead = Bearing::Angle(self.motion.angle);
                self.entity().map_or(ahead, Bearing::Like)
            }
            _ => Bearing::Direction(self.motion.direction(self.rng.point(1.0)).into()),
        }
    }

    fn path(&mut self) -> Path {
        let count = if self.rng.is_hostile() { self.rng.index(3) } else { 2 + self.rng.index(5) };
        let mut points: Vec<Vec3> =
            (0..count).map(|_| self.motion.point(self.rng.point(self.reach))).collect();
        if self.rng.chance(0.2) && count > 0 {
            points.push(points[count - 1]);
        }
        Path::new(points)
    }
}
