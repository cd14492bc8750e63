//! The ground of a SpellForce map as meshes, with lakes, and what stands on it as named points.
//!
//! The first axis goes along the rows of the map, the second up, the third down pictures of the map: in maps of the second game
//! x to the east, y up and z to the south, so positions (x, y, z) of the game, whose z goes to the north, become (x, y, -z). A
//! cell is one unit wide in maps of the first game, 1.4 in those of the second, whose units these are. The ground is cut into
//! squares of 128 cells, so that indices have 16 bits as every program reads them.

use super::{
    buffer::Bin,
    file::Gltf,
    model::{self, Buffer, Mesh, Node, Pbr, Primitive, Root},
};
use crate::{
    gltf::extras::Index,
    maps::{self, Entity, Frame, Land, Place, Water, colors},
};
use spellforce::map2::is_cut_upwards;
use spelunk_core::{Error, Result, Task, text::CodePages};
use spelunk_open::{Opened, codes};
use std::collections::BTreeMap;

/// Cells along the side of a mesh of the ground.
const PATCH: u32 = 128;
/// Cells of a lake in one mesh, of four corners each.
const LAKE_CELLS: usize = 16_000;
/// The longest list of points: documents with more nodes are slow to open everywhere.
const MOST_NODES: usize = 100_000;

/// Height of one step of height in maps of the first game. How long one is beside a cell is not known; this fits most maps.
const STEP: f32 = 0.01;

/// The ground of a map, its heights times `height_scale`, its vertices in the colours of their textures. Without a scale heights
/// are 0.01 of those of maps of the first game, and as they are in those of the second.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files; [`GRID_VALUE`](codes::GRID_VALUE) for a scale that is not above 0; reading errors;
/// limits.
pub fn terrain(opened: &mut Opened, height_scale: Option<f32>) -> Result<Gltf> {
    if let Some(scale) = height_scale.filter(|scale| !(scale.is_finite() && *scale > 0.0)) {
        let error = Error::new(&codes::GRID_VALUE).expected("a scale of heights above 0");
        return Err(error.found(scale.to_string()));
    }
    let land = maps::read(opened)?;
    let pages = opened.code_pages();
    opened.run(|_, task| {
        let frame = land.frame();
        let mut made = TerrainBuilder {
            land: &*land,
            pages,
            heights: land.heights(&mut task.budget)?,
            height_scale: height_scale.or(frame.height_scale).unwrap_or(STEP),
            frame,
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
    land: &'m dyn Land,
    pages: CodePages,
    frame: Frame,
    heights: Vec<f32>,
    height_scale: f32,
    root: Root,
    bin: Bin,
    task: &'t mut Task<'s>,
}

impl TerrainBuilder<'_, '_, '_> {
    /// The position of a point in the lists of the map; places outside of it are at its edge.
    fn point(&self, x: u32, y: u32) -> usize {
        let [x, y] = [(x, self.frame.width), (y, self.frame.height)]
            .map(|(at, side)| at.min(side.saturating_sub(1)) as usize);
        y * self.frame.width as usize + x
    }

    fn height(&self, x: u32, y: u32) -> f32 {
        self.heights.get(self.point(x, y)).copied().unwrap_or_default() * self.height_scale
    }

    /// A place in space: along the rows, up, down the columns of pictures.
    fn place(&self, x: f32, height: f32, y: f32) -> [f32; 3] {
        [x * self.frame.cell, height, y * self.frame.cell * self.frame.down()]
    }

    /// The direction that the ground faces.
    fn normal(&self, x: u32, y: u32) -> [f32; 3] {
        let [last_x, last_y] = [self.frame.width, self.frame.height].map(|it| it.saturating_sub(1));
        let [left, right] = [x.saturating_sub(1), (x + 1).min(last_x)];
        let [above, below] = [y.saturating_sub(1), (y + 1).min(last_y)];
        let slope = |rise: f32, cells: u32| rise / (cells.max(1) as f32 * self.frame.cell);
        let slope_x = slope(self.height(right, y) - self.height(left, y), right - left);
        let slope_y = slope(self.height(x, below) - self.height(x, above), below - above);
        let slope_y = slope_y * self.frame.down();
        let length = (slope_x * slope_x + 1.0 + slope_y * slope_y).sqrt();
        [-slope_x / length, 1.0 / length, -slope_y / length]
    }

    /// The two faces of a cell: its corners along the rows, first those of the row that comes first in the map, and whether it
    /// is cut from the first to the last.
    fn faces([a, b, c, d]: [u16; 4], is_cut_upwards: bool, is_mirrored: bool) -> [[u16; 3]; 2] {
        let faces = match is_cut_upwards {
            true => [[a, c, d], [a, d, b]],
            false => [[a, c, b], [b, c, d]],
        };
        // Rows that go up turn faces round.
        match is_mirrored {
            true => faces.map(|[a, b, c]| [a, c, b]),
            false => faces,
        }
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
        let palette: Vec<[u16; 4]> = self.land.colors().into_iter().map(linear).collect();
        let mut children = Vec::new();
        let Frame { width, height, .. } = self.frame;
        for top in (0..height).step_by(PATCH as usize) {
            for left in (0..width).step_by(PATCH as usize) {
                // Neighbours share their rims. A map of one cell is a point.
                let [columns, rows] =
                    [(left, width), (top, height)].map(|(at, side)| (side - 1 - at).min(PATCH));
                if columns > 0 && rows > 0 {
                    let patch = Patch { left, top, columns, rows };
                    let primitive = self.patch(&patch, &palette, material)?;
                    children.push(self.mesh(format!("ground {left},{top}"), vec![primitive]));
                }
            }
        }
        self.root_node("ground", children);
        Ok(())
    }

    /// A rectangle of the ground.
    fn patch(
        &mut self,
        &Patch { left, top, columns, rows }: &Patch,
        palette: &[[u16; 4]],
        material: Index,
    ) -> Result<Primitive> {
        let along = columns + 1;
        let places = || (0..along * (rows + 1)).map(|n| (left + n % along, top + n / along));
        let position = |(x, y)| self.place(x as f32, self.height(x, y), y as f32);
        let positions: Vec<_> = places().map(position).collect();
        let normals: Vec<_> = places().map(|(x, y)| self.normal(x, y)).collect();
        let numbers = self.land.numbers();
        let color = |(x, y)| {
            let number = numbers.get(self.point(x, y)).copied().unwrap_or_default();
            palette.get(usize::from(number)).copied().unwrap_or([u16::MAX; 4])
        };
        let tints: Vec<_> = places().map(color).collect();
        let budget = &mut self.task.budget;
        let mut attributes = BTreeMap::new();
        let positions = self.bin.floats(positions.into_iter(), true, true, budget)?;
        attributes.insert("POSITION".to_owned(), positions);
        let normals = self.bin.floats(normals.into_iter(), true, false, budget)?;
        attributes.insert("NORMAL".to_owned(), normals);
        attributes.insert("COLOR_0".to_owned(), self.bin.colors(tints.into_iter(), budget)?);
        let frame = self.frame;
        let faces = (0..columns * rows).flat_map(|n| {
            let (x, y) = (n % columns, n / columns);
            let corner = |dx, dy| u16::try_from((y + dy) * along + x + dx).unwrap_or(u16::MAX);
            let corners = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
            let [x, y] = [left + x, top + y].map(|at| at as usize);
            let is_cut = frame.has_corners && is_cut_upwards(x, y);
            TerrainBuilder::faces(corners, is_cut, frame.is_northward)
        });
        let count = columns as usize * rows as usize * 2;
        let indices = self.bin.indices(count, faces, false, budget)?;
        Ok(Primitive {
            attributes,
            indices: Some(indices),
            material: Some(material),
            mode: 4,
            extras: None,
        })
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
        for water in self.land.waters(&mut self.task.budget)? {
            let material = match materials.get(&water.kind) {
                Some(material) => *material,
                None => {
                    let [r, g, b, _] = linear(water.color).map(|part| f32::from(part) / 65535.0);
                    let made = self.material(&format!("lake {}", water.kind), [r, g, b, 0.6]);
                    materials.insert(water.kind, made);
                    made
                }
            };
            let parts = water.cells.chunks(LAKE_CELLS);
            let primitives = parts.map(|part| self.surface(&water, part, material));
            let primitives = primitives.collect::<Result<Vec<_>>>()?;
            self.task.budget.release((water.cells.len() as u64).saturating_mul(4));
            if !primitives.is_empty() {
                children.push(self.mesh(format!("lakes[{}]", water.index), primitives));
            }
        }
        self.root_node("lakes", children);
        Ok(())
    }

    /// The surface of a lake over these cells.
    fn surface(&mut self, water: &Water, cells: &[u32], material: Index) -> Result<Primitive> {
        let frame = self.frame;
        let level = water.level * self.height_scale;
        // Cells lie around their points, or have them as corners.
        let [low, high] = [-frame.shift(), 1.0 - frame.shift()];
        let corners = cells.iter().flat_map(|cell| {
            let [x, y] = [cell % frame.width, cell / frame.width].map(|at| at as f32);
            [(low, low), (high, low), (low, high), (high, high)]
                .map(|(dx, dy)| self.place(x + dx, level, y + dy))
        });
        let corners: Vec<_> = corners.collect();
        let budget = &mut self.task.budget;
        let normals = vec![[0.0, 1.0, 0.0]; corners.len()];
        let mut attributes = BTreeMap::new();
        let positions = self.bin.floats(corners.into_iter(), true, true, budget)?;
        attributes.insert("POSITION".to_owned(), positions);
        let normals = self.bin.floats(normals.into_iter(), true, false, budget)?;
        attributes.insert("NORMAL".to_owned(), normals);
        let faces = (0..cells.len()).flat_map(|cell| {
            let corners = [0, 1, 2, 3].map(|n| u16::try_from(cell * 4 + n).unwrap_or(u16::MAX));
            TerrainBuilder::faces(corners, false, frame.is_northward)
        });
        let indices = self.bin.indices(cells.len() * 2, faces, false, budget)?;
        Ok(Primitive {
            attributes,
            indices: Some(indices),
            material: Some(material),
            mode: 4,
            extras: None,
        })
    }

    /// Everything with a place as points, kind by kind.
    fn points(&mut self) -> Result<()> {
        let all = self.land.entities(&mut self.task.budget)?;
        for kind in self.land.kinds() {
            let mut children = Vec::new();
            let room = MOST_NODES.saturating_sub(self.root.nodes.len());
            for entity in all.iter().filter(|entity| entity.kind == kind.name).take(room) {
                self.task.budget.memory(512)?;
                if let Some(node) = self.entity(entity) {
                    children.push(self.node(node));
                }
            }
            self.root_node(kind.name, children);
        }
        Ok(())
    }

    /// An entity as a point: on the ground of its cell, or where it is. `None` outside of the map where it has to be in a cell.
    fn entity(&self, entity: &Entity<'_>) -> Option<Node> {
        let mut name = format!("{}[{}]", entity.list, entity.index);
        for more in
            [entity.id.map(|id| id.to_string()), entity.tag.map(|tag| self.pages.show(tag).into())]
                .into_iter()
                .flatten()
        {
            name.push(' ');
            name.push_str(&more);
        }
        match entity.place {
            Place::Cell(x, y) => {
                let [x, y] = [x, y].map(u32::try_from);
                let (x, y) = (x.ok()?, y.ok()?);
                let is_there = x < self.frame.width && y < self.frame.height;
                let place = self.place(x as f32, self.height(x, y), y as f32);
                is_there.then(|| Node { name, translation: Some(place), ..Node::default() })
            }
            Place::Point { position: [x, y, z], rotation, scale } => Some(Node {
                name,
                translation: Some([x, y * self.height_scale, z * self.frame.down()]),
                rotation: Some(quaternion(rotation)),
                scale: (scale != 1.0).then_some([scale; 3]),
                ..Node::default()
            }),
        }
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

/// A rectangle of the ground: its first column and row, and how many cells it has along each.
struct Patch {
    left: u32,
    top: u32,
    columns: u32,
    rows: u32,
}

/// Turns about x, y and z of a map of the second game as a quaternion of glTF. The game turns about z first, about y last; a turn
/// about y goes from east to north (`docs/formats/map2.md#5-records`). Mirrored along z, turns about x and y go on as they are
/// in glTF, and one about z goes the other way round.
fn quaternion([x, y, z]: [f32; 3]) -> [f32; 4] {
    let half = |angle: f32| ((angle / 2.0).sin(), (angle / 2.0).cos());
    let ((sx, cx), (sy, cy), (sz, cz)) = (half(x), half(y), half(-z));
    // About x behind z, then about y behind both.
    let [qx, qy, qz, qw] = [sx * cz, -sx * sz, cx * sz, cx * cz];
    let all = [cy * qx + sy * qz, cy * qy + sy * qw, cy * qz - sy * qx, cy * qw - sy * qy];
    let length = all.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length > 0.0 { all.map(|part| part / length) } else { [0.0, 0.0, 0.0, 1.0] }
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
