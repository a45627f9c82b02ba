//! The system that moves agents: a step, the edges of the world, and the `Transform`.

use bevy::prelude::*;

use crate::{
    agent::{
        columns::other_planes,
        contributions::Contributions,
        locomotion::SkipIntegration,
        surface_slot::SurfaceSlot,
        tick_context::Tick,
        vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity},
    },
    behavior::near_surfaces::NearSurfaces,
    ecs::{
        columns::{Column, Shared},
        parallel::for_each_piece,
    },
    pipeline::integrate::{
        columns::MotionColumns,
        motion_simd::{inside, move_block},
        slide::SurfaceColumn,
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH},
    },
    space::{bounds::Bounds, plane::SteeringPlane},
};

pub(crate) fn move_agents(
    mut agents: Query<
        (
            Entity,
            &Vehicle,
            &SteeringForce,
            &Contributions,
            Option<&SteeringPlane>,
            Option<&Bounds>,
            Option<&SurfaceSlot>,
            Has<KeepRotation>,
            (&mut Velocity, &mut Heading, &mut Transform, Option<&mut AngularVelocity>),
        ),
        Without<SkipIntegration>,
    >,
    surfaces: NearSurfaces,
    tick: Tick,
) {
    let (tick, surfaces) = (tick.borrow(), &surfaces);
    let Ok(tables) = agents.contiguous_iter_mut() else { return };
    let mut tables: Vec<_> = tables
        .map(|(entities, vehicles, forces, contributions, planes, bounds, slots, keep, moving)| {
            let (velocities, headings, transforms, spins) = moving;
            let inputs = (entities, vehicles, forces, contributions, planes, bounds, slots);
            let velocities = Column::from(velocities);
            let headings = Column::from(headings);
            let transforms = Column::from(transforms);
            (inputs, keep, (velocities, headings, transforms, spins.map(Column::from)))
        })
        .collect();
    let tables = tables.iter_mut().map(|(inputs, keep_rotation, moving)| {
        let (velocities, headings, transforms, spins) = moving;
        let spins = spins.as_mut().map(Column::reborrow);
        let moving = (velocities.reborrow(), headings.reborrow(), transforms.reborrow(), spins);
        (inputs.0.len(), (*inputs, Shared(*keep_rotation), moving))
    });
    for_each_piece(tables.collect(), |count, (inputs, Shared(keep_rotation), moving)| {
        let (entities, vehicles, forces, contributions, planes, bounds, slots) = inputs;
        let (velocities, headings, transforms, spins) = moving;
        let planes = other_planes(planes, tick.settings.plane);
        let rows = MotionColumns {
            count,
            entities,
            vehicles,
            forces,
            contributions,
            planes,
            bounds,
            keep_rotation,
            velocities,
            headings,
            transforms,
            spins,
            tick,
            surfaces: SurfaceColumn { slots, surfaces },
        };
        if planes.is_some() || bounds.is_some() || rows.spins.is_some() {
            rows.move_all();
        } else {
            // Compiled for each plane: what a planar agent does not need is then not computed.
            match tick.settings.plane {
                SteeringPlane::Xy => dispatch(PlainColumns::<{ SteeringPlane::Xy as u8 }>(rows)),
                SteeringPlane::Xz => dispatch(PlainColumns::<{ SteeringPlane::Xz as u8 }>(rows)),
                SteeringPlane::Free => {
                    dispatch(PlainColumns::<{ SteeringPlane::Free as u8 }>(rows));
                }
            }
        }
    });
}

/// Agents of one plane, with the bounds of the world, that look where they go.
struct PlainColumns<'a, const PLANE: u8>(MotionColumns<'a>);

impl<const PLANE: u8> Kernel for PlainColumns<'_, PLANE> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let mut rows = self.0;
        let plane = SteeringPlane::ALL[PLANE as usize];
        let inside = inside(rows.tick.bounds);
        let count = rows.count;
        rows.vehicles = &rows.vehicles[..count];
        rows.forces = &rows.forces[..count];
        rows.contributions = &rows.contributions[..count];
        rows.velocities = rows.velocities.first(count);
        rows.headings = rows.headings.first(count);
        rows.transforms = rows.transforms.first(count);
        let blocks = count / WIDTH;
        for block in 0..blocks {
            move_block(l, &mut rows, block * WIDTH, plane, &inside);
        }
        for row in blocks * WIDTH..count {
            rows.reborrow().move_one(row);
        }
    }
}
