//! What the neighbour index costs, beside the k-d tree of `kiddo`: `cargo bench -p
//! bevy_steer_benches --bench index`.
//!
//! Both hold the same points of a world without edges and are asked the same questions in the same
//! order, one by one, on one thread. The tree is given its points in an array; the index gets them
//! from the ECS, with velocities, radii and layers. The index is built on all threads where that
//! pays, the tree as it decides itself (from 262,144 points) and, in the rows `kiddo, all threads`,
//! whenever it can. The rows `kiddo, join` find all pairs in one call, which takes a second tree of
//! the same points.
#![allow(missing_docs, reason = "criterion_group! makes functions without")]

mod common;

use core::{hint::black_box, num::NonZero};

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_steer::{NeighborIndex, prelude::*};
use common::{Crowd, Dice, Place, SIZES, group, measure};
use criterion::{
    BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime,
};
use kiddo::{ImmutableKdTree, SquaredEuclidean, batch::Executor};

/// How many others are within one unit of each, save at the rim. The asker is found as well.
const MATES: f32 = 16.0;

/// How many are asked for where the nearest few are.
const FEW: NonZero<usize> = NonZero::new(8).expect("eight is not zero");

type Euclid = SquaredEuclidean<f32>;

/// The positions of all agents, and as many random ones.
fn places(crowd: &mut Crowd, place: Place) -> (Vec<Vec3>, Vec<Vec3>) {
    let agents = crowd.agents.clone();
    let at = |&agent: &Entity| crowd.world().entity(agent).components::<&Transform>().translation;
    let mut dice = Dice::new(5);
    (agents.iter().map(at).collect(), agents.iter().map(|_| place.point(&mut dice)).collect())
}

/// This crate's index, and what it is asked.
struct Ours {
    crowd: Crowd,
    asking: SystemState<SNeighbors>,
    own: Vec<Vec3>,
    elsewhere: Vec<Vec3>,
    found: usize,
}

impl Ours {
    fn new(place: Place) -> Self {
        let mut crowd = Crowd::new(place).only_sensing();
        crowd.world().insert_resource(WorldBounds(Bounds::UNBOUNDED));
        let asking = SystemState::new(crowd.world());
        let (own, elsewhere) = places(&mut crowd, place);
        crowd.tick();
        Self { crowd, asking, own, elsewhere, found: 0 }
    }

    fn ask(&mut self, question: impl FnOnce(&NeighborIndex, &[Vec3], &[Vec3])) {
        let neighbors = self.asking.get(self.crowd.world()).expect("the index");
        question(&neighbors, &self.own, &self.elsewhere);
    }

    fn build(&mut self) {
        self.crowd.tick();
    }

    fn within(&mut self) {
        let mut found = 0;
        self.ask(|index, own, _| {
            for &place in own {
                index.within(place, 1.0).for_each(|neighbor| {
                    black_box((neighbor.entity, neighbor.distance_squared));
                    found += 1;
                });
            }
        });
        self.found = found;
    }

    fn nearest(&mut self) {
        self.ask(|index, _, elsewhere| {
            for &place in elsewhere {
                black_box(index.nearest(place, f32::INFINITY));
            }
        });
    }

    fn nearest_few(&mut self) {
        self.ask(|index, own, _| {
            for &place in own {
                black_box(index.nearest_k(place, FEW.get(), f32::INFINITY));
            }
        });
    }

    fn build_and_within(&mut self) {
        self.build();
        self.within();
    }
}

/// The tree, and what it is asked.
struct Theirs<const K: usize> {
    tree: ImmutableKdTree<f32, K>,
    again: ImmutableKdTree<f32, K>,
    own: Vec<[f32; K]>,
    elsewhere: Vec<[f32; K]>,
    found: usize,
}

impl<const K: usize> Theirs<K> {
    fn new(place: Place) -> Self {
        let (own, elsewhere) = places(&mut Crowd::new(place), place);
        let flat = |at: &Vec3| core::array::from_fn(|axis| at[axis]);
        let own: Vec<_> = own.iter().map(flat).collect();
        let elsewhere = elsewhere.iter().map(flat).collect();
        let tree = || ImmutableKdTree::new_from_slice(&own).expect("a tree");
        Self { tree: tree(), again: tree(), own, elsewhere, found: 0 }
    }

    fn build(&mut self) {
        self.tree = ImmutableKdTree::new_from_slice(&self.own).expect("a tree");
    }

    fn build_on_all_threads(&mut self) {
        let builder = ImmutableKdTree::builder().with_parallel_construction();
        self.tree = builder.build_from_slice(&self.own).expect("a tree");
    }

    fn within(&mut self) {
        let mut scratch = self.tree.create_scratch::<Euclid>();
        let mut count = 0;
        for place in &self.own {
            let query = self.tree.query(place).within::<Euclid>(1.0).unsorted();
            query.with_scratch(&mut scratch).visit(|found| {
                black_box((found.item, found.distance));
                count += 1;
            });
        }
        self.found = count;
    }

    fn join(&mut self) {
        let pairs = self.tree.query_tree(&self.again).within::<Euclid>(1.0);
        pairs.with_executor(&Executor::serial()).for_each(|pair| {
            black_box((pair.right_item, pair.distance));
        });
    }

    fn nearest(&mut self) {
        for place in &self.elsewhere {
            black_box(self.tree.query(place).nearest_one::<Euclid>().execute());
        }
    }

    fn nearest_few(&mut self) {
        let mut scratch = self.tree.create_scratch::<Euclid>();
        for place in &self.own {
            let query = self.tree.query(place).nearest_n::<Euclid>(FEW);
            black_box(query.with_scratch(&mut scratch).execute());
        }
    }

    fn build_and_within(&mut self) {
        self.build();
        self.within();
    }
}

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn side_by_side<const K: usize>(criterion: &mut Criterion, space: &str, at: fn(usize) -> Place) {
    let (mut us, mut them) = (Ours::new(at(SIZES[0])), Theirs::<K>::new(at(SIZES[0])));
    us.within();
    them.within();
    assert_eq!(us.found, them.found, "both find the same");

    let ours = |group: &mut Group, agents, run: fn(&mut Ours)| {
        measure(group, "ours", agents, || Ours::new(at(agents)), run);
    };
    let theirs = |group: &mut Group, name: &str, agents, run: fn(&mut Theirs<K>)| {
        measure(group, name, agents, || Theirs::new(at(agents)), run);
    };
    let mut in_group = |name: &str, own: fn(&mut Ours), others: &[(&str, fn(&mut Theirs<K>))]| {
        let mut group = group(criterion, &format!("{name}, {space}"));
        for agents in SIZES {
            ours(&mut group, agents, own);
            for &(name, other) in others {
                theirs(&mut group, name, agents, other);
            }
        }
    };
    let threads: fn(&mut Theirs<K>) = Theirs::build_on_all_threads;
    in_group("build", Ours::build, &[("kiddo", Theirs::build), ("kiddo, all threads", threads)]);
    let join: fn(&mut Theirs<K>) = Theirs::join;
    in_group("within", Ours::within, &[("kiddo", Theirs::within), ("kiddo, join", join)]);
    in_group("nearest", Ours::nearest, &[("kiddo", Theirs::nearest)]);
    in_group("nearest 8", Ours::nearest_few, &[("kiddo", Theirs::nearest_few)]);
    in_group("build and within", Ours::build_and_within, &[("kiddo", Theirs::build_and_within)]);
}

fn index(criterion: &mut Criterion) {
    side_by_side::<2>(criterion, "plane", |agents| Place::plane(agents, MATES));
    side_by_side::<3>(criterion, "space", |agents| Place::space(agents, MATES));
}

criterion_group!(benches, index);
criterion_main!(benches);
