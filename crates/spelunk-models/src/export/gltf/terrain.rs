//! The ground of a SpellForce map as meshes, with lakes, and what stands on it as named points.
//!
//! A cell is one unit wide. The first axis goes along the rows of the map, the third down its columns, the second up. The ground
//! is cut into squares of 128 cells, so that indices have 16 bits as every program reads them.

use super::{
    buffer::Bin,
    file::Gltf,
    model::{self, Buffer, Mesh, Node, Pbr, Primitive, Root},
};
use crate::{
    gltf::extras::Index,
    maps::{self, Entity, colors},
};
use spellforce::map::Map;
use spelunk_core::{Error, Result, Task};
use spelunk_open::{Opened, codes};
use std::collections::BTreeMap;

/// Cells along the side of a mesh of the ground.
const PATCH: usize = 128;
/// Cells of a lake in one mesh, of four corners each.
const LAKE_CELLS: usize = 16_000;
/// The longest list of points: documents with more nodes are slow to open everywhere.
const MOST_NODES: usize = 100_000;

/// The ground of a map, its heights times `height_scale` (0.01 fits most maps; how long a step of height is beside a cell is not
/// known), its vertices in the colours of their textures.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files; reading errors; limits.
pub fn terrain(opened: &mut Opened, height_scale: f32) -> Result<Gltf> {
    if !(height_scale.is_finite() && height_scale > 0.0) {
        let error = Error::new(&codes::GRID_VALUE).expected("a scale of heights above 0");
        return Err(error.found(height_scale.to_string()));
    }
    let map = maps::read(opened)?;
    opened.run(|container, task| {
        let mut made = TerrainBuilder {
            map: &map,
            entities: maps::placed(container, &map, task)?,
            height_scale,
            root: Root::default(),
            bin: Bin::default(),
            task,
        };
        made.ground()?;
        made.lakes()?;
        made.points()?;
        Ok(made.finish())
    })
}

struct TerrainBuilder<'m, 't, 's> {
    map: &'m Map,
    entities: Vec<Entity<'m>>,
    height_scale: f32,
    root: Root,
    bin: Bin,
    task: &'t mut Task<'s>,
}

impl TerrainBuilder<'_, '_, '_> {
    fn side(&self) -> usize {
        self.map.size.into()
    }

    fn height(&self, x: usize, y: usize) -> f32 {
        let last = self.side().saturating_sub(1);
        let at = y.min(last) * self.side() + x.min(last);
        f32::from(self.map.heights.get(at).copied().unwrap_or_default()) * self.height_scale
    }

    /// The direction that the ground faces.
    fn normal(&self, x: usize, y: usize) -> [f32; 3] {
        let last = self.side().saturating_sub(1);
        let [left, right] = [x.saturating_sub(1), (x + 1).min(last)];
        let [above, below] = [y.saturating_sub(1), (y + 1).min(last)];
        let slope_x = (self.height(right, y) - self.height(left, y)) / (right - left).max(1) as f32;
        let slope_y =
            (self.height(x, below) - self.height(x, above)) / (below - above).max(1) as f32;
        let length = (slope_x * slope_x + 1.0 + slope_y * slope_y).sqrt();
        [-slope_x / length, 1.0 / length, -slope_y / length]
    }

    fn material(&mut self, name: &str, color: [f32; 4]) -> Index {
        self.root.materials.push(model::Material {
            name: name.to_owned(),
            pbr_metallic_roughness: Pbr {
                base_color_factor: color,
                metallic_factor: 0.0,
                roughness_factor: 0.9,
                ..Pbr::default()
            },
            alpha_mode: (color[3] < 1.0).then_some("BLEND"),
            double_sided: color[3] < 1.0,
            ..model::Material::default()
        });
        self.root.materials.len() - 1
    }

    fn mesh(&mut self, name: String, primitives: Vec<Primitive>) -> Index {
        self.root.meshes.push(Mesh { name: name.clone(), primitives, extras: None });
        let mesh = Some(self.root.meshes.len() - 1);
        self.node(Node { name, mesh, ..Node::default() })
    }

    fn node(&mut self, node: Node) -> Index {
        self.root.nodes.push(node);
        self.root.nodes.len() - 1
    }

    fn ground(&mut self) -> Result<()> {
        let material = self.material("ground", [1.0; 4]);
        let palette: Vec<[u16; 4]> = (0..=255).map(|n| linear(colors::tile(self.map, n))).collect();
        let mut children = Vec::new();
        let starts = || (0..self.map.size).step_by(PATCH).map(usize::from);
        let patches: Vec<_> = starts().flat_map(|y| starts().map(move |x| (x, y))).collect();
        for (left, top) in patches {
            // Neighbours share their rims. A map of one cell is a point.
            let last = self.side() - 1;
            let [width, height] = [left, top].map(|start| (last - start).min(PATCH));
            if width == 0 || height == 0 {
                continue;
            }
            let columns = width + 1;
            let count = columns * (height + 1);
            let places = || (0..count).map(|n| (left + n % columns, top + n / columns));
            let positions: Vec<_> =
                places().map(|(x, y)| [x as f32, self.height(x, y), y as f32]).collect();
            let normals: Vec<_> = places().map(|(x, y)| self.normal(x, y)).collect();
            let color = |(x, y): (usize, usize)| {
                let tile = self.map.tiles.get(y * self.side() + x).copied().unwrap_or_default();
                palette.get(usize::from(tile)).copied().unwrap_or([u16::MAX; 4])
            };
            let tints: Vec<_> = places().map(color).collect();
            let budget = &mut self.task.budget;
            let mut attributes = BTreeMap::new();
            let positions = self.bin.floats(positions.into_iter(), true, true, budget)?;
            attributes.insert("POSITION".to_owned(), positions);
            let normals = self.bin.floats(normals.into_iter(), true, false, budget)?;
            attributes.insert("NORMAL".to_owned(), normals);
            attributes.insert("COLOR_0".to_owned(), self.bin.colors(tints.into_iter(), budget)?);
            let faces = (0..width * height).flat_map(|n| {
                let corner = |dx, dy| {
                    u16::try_from((n / width + dy) * columns + n % width + dx).unwrap_or(u16::MAX)
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
                [[a, c, b], [b, c, d]]
            });
            let indices = self.bin.indices(width * height * 2, faces, false, budget)?;
            let primitive = Primitive {
                attributes,
                indices: Some(indices),
                material: Some(material),
                mode: 4,
                extras: None,
            };
            children.push(self.mesh(format!("ground {left},{top}"), vec![primitive]));
        }
        self.root_node("ground", children);
        Ok(())
    }

    /// A node of the scene with these below it, if there are any.
    fn root_node(&mut self, name: &str, children: Vec<Index>) {
        if children.is_empty() {
            return;
        }
        let node = self.node(Node { name: name.to_owned(), children, ..Node::default() });
        match self.root.scenes.first_mut() {
            Some(scene) => scene.nodes.push(node),
            None => self.root.scenes.push(model::Scene { nodes: vec![node], extras: None }),
        }
    }

    fn lakes(&mut self) -> Result<()> {
        let mut materials: BTreeMap<u8, Index> = BTreeMap::new();
        let mut children = Vec::new();
        for (nth, lake) in self.map.lakes.iter().enumerate() {
            let Some(surface) = self.map.surface(lake) else { continue };
            let cells = self.map.lake_cells(lake, &mut self.task.budget)?;
            let material = match materials.get(&lake.kind) {
                Some(material) => *material,
                None => {
                    let [r, g, b, _] =
                        linear(colors::lake(lake.kind)).map(|part| f32::from(part) / 65535.0);
                    let made = self.material(&format!("lake {}", lake.kind), [r, g, b, 0.6]);
                    materials.insert(lake.kind, made);
                    made
                }
            };
            let side = u32::from(self.map.size);
            let mut primitives = Vec::new();
            for part in cells.chunks(LAKE_CELLS) {
                let level = surface as f32 * self.height_scale;
                let corners = part.iter().flat_map(|cell| {
                    let [x, y] = [cell % side, cell / side].map(|at| at as f32);
                    // A cell is around its point.
                    [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]
                        .map(|(dx, dy)| [x + dx, level, y + dy])
                });
                let corners: Vec<_> = corners.collect();
                let budget = &mut self.task.budget;
                let normals = vec![[0.0, 1.0, 0.0]; corners.len()];
                let mut attributes = BTreeMap::new();
                let positions = self.bin.floats(corners.into_iter(), true, true, budget)?;
                attributes.insert("POSITION".to_owned(), positions);
                let normals = self.bin.floats(normals.into_iter(), true, false, budget)?;
                attributes.insert("NORMAL".to_owned(), normals);
                let faces = (0..part.len()).flat_map(|cell| {
                    let [a, b, c, d] =
                        [0, 1, 2, 3].map(|n| u16::try_from(cell * 4 + n).unwrap_or(u16::MAX));
                    [[a, c, b], [b, c, d]]
                });
                let indices = self.bin.indices(part.len() * 2, faces, false, budget)?;
                primitives.push(Primitive {
                    attributes,
                    indices: Some(indices),
                    material: Some(material),
                    mode: 4,
                    extras: None,
                });
            }
            self.task.budget.release((cells.len() as u64).saturating_mul(4));
            if !primitives.is_empty() {
                children.push(self.mesh(format!("lakes[{nth}]"), primitives));
            }
        }
        self.root_node("lakes", children);
        Ok(())
    }

    /// Everything with a place as points on the ground, kind by kind.
    fn points(&mut self) -> Result<()> {
        let all = std::mem::take(&mut self.entities);
        for (kind, _) in maps::KINDS {
            let mut children = Vec::new();
            let room = MOST_NODES.saturating_sub(self.root.nodes.len());
            for entity in all.iter().filter(|entity| entity.kind == kind).take(room) {
                self.task.budget.memory(512)?;
                let Some(cell) = self.map.cell(entity.x, entity.y) else { continue };
                let (x, y) = (cell % self.side(), cell / self.side());
                let translation = Some([x as f32, self.height(x, y), y as f32]);
                let name = format!("{kind}[{}] {}", entity.index, entity.id);
                children.push(self.node(Node { name, translation, ..Node::default() }));
            }
            self.root_node(kind, children);
        }
        Ok(())
    }

    fn finish(mut self) -> Gltf {
        let (views, accessors, bin) = self.bin.finish();
        (self.root.buffer_views, self.root.accessors) = (views, accessors);
        if !bin.is_empty() {
            self.root.buffers.push(Buffer { uri: None, byte_length: bin.len() });
        }
        Gltf { root: self.root, bin }
    }
}

/// A colour as vertices have it: linear in light.
fn linear(color: colors::Color) -> [u16; 4] {
    let [r, g, b] = color.map(|part| {
        let part = f32::from(part) / 255.0;
        let linear =
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
        (linear * 65535.0).round() as u16
    });
    [r, g, b, u16::MAX]
}
