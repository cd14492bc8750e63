//! The layers that go out of a map.

#[cfg(feature = "images")]
use super::picture::View;
use super::source::grids;
use spelunk_core::Container;

/// The names of the layers of a map, those for people first, which are there where pictures are; none for other files.
pub fn layers(container: &dyn Container) -> impl Iterator<Item = &'static str> + use<> {
    let grids = grids(container);
    #[cfg(feature = "images")]
    let views = grids.map(|_| View::of(container)).unwrap_or_default();
    #[cfg(feature = "images")]
    let views = views.iter().map(|view| view.name());
    #[cfg(not(feature = "images"))]
    let views = std::iter::empty();
    views.chain(grids.unwrap_or_default().iter().map(|layer| layer.name()))
}
