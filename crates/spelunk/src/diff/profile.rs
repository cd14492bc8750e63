//! What of each format is compared, and what follows from the rest.

/// Which names a walk is seen by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Names {
    /// All but these at the top.
    Not(&'static [&'static str]),
    /// These at the top alone.
    Only(&'static [&'static str]),
    /// All but these, wherever they are.
    Nowhere(&'static [&'static str]),
}

impl Names {
    /// Whether a group or field is seen that lies below `depth` groups.
    pub(super) fn has(self, name: &str, depth: usize) -> bool {
        match self {
            Names::Not(names) => depth > 0 || !names.contains(&name),
            Names::Only(names) => depth > 0 || names.contains(&name),
            Names::Nowhere(names) => !names.contains(&name),
        }
    }
}

/// How the entries of a format are compared.
#[derive(Debug)]
pub(super) struct Profile {
    /// What of their rows in listings is theirs alone.
    pub(super) details: Names,
    /// Whether the fields of [`Container::walk`](crate::Container::walk) tell what their bytes mean, and which.
    pub(super) walk: bool,
    pub(super) walked: Names,
    /// Whether entries of the listing have entries below them.
    pub(super) below: bool,
    /// Whether the hierarchy holds entries besides those of the listing.
    pub(super) root: bool,
}

/// Class, names and positions tell which object it is; `entry` is the row of the object table. The id is counted
/// ([`Diff::renumbered`](super::Diff::renumbered)).
static VIRTOOLS: Profile = Profile {
    details: Names::Only(&[]),
    walk: true,
    walked: Names::Not(&[
        "class",
        "entry",
        "category",
        "guid_count",
        "name_length",
        "name",
        "size",
        "file_size",
    ]),
    below: false,
    root: true,
};

/// Assets go by their ids, bulk chunks, which are entries of their own, by their asset. Hashes and sizes follow from the
/// payload.
static SNPAK: Profile = Profile {
    details: Names::Only(&[
        "asset_id",
        "kind",
        "payload_type",
        "schema_version",
        "compression",
        "level",
        "flags",
        "dependencies",
    ]),
    walk: false,
    walked: Names::Not(&[]),
    below: true,
    root: false,
};

static CHUNKS: Profile = Profile {
    details: Names::Only(&["data_type", "packed"]),
    walk: false,
    walked: Names::Not(&[]),
    below: false,
    root: false,
};

static PAK: Profile = Profile {
    details: Names::Only(&[]),
    walk: false,
    walked: Names::Not(&[]),
    below: false,
    root: false,
};

/// Where a file lies in its archive is what this index tells.
static PAKDATA: Profile = Profile {
    details: Names::Only(&["offset"]),
    walk: false,
    walked: Names::Not(&[]),
    below: false,
    root: false,
};

impl Profile {
    /// The profile of a format.
    pub(super) fn of(format: &str) -> &'static Profile {
        match format {
            "virtools" => &VIRTOOLS,
            "snpak" => &SNPAK,
            "spellforce-pak" | "spellforce-set" => &PAK,
            "spellforce-pakdata" => &PAKDATA,
            _ => &CHUNKS,
        }
    }
}

/// What of the summary is no count, size or checksum that follows from the entries, nor told by them. How a pack came to
/// its current state is none of it: the chain of its indexes, the flag that an append sets, and bytes that nothing uses
/// are others after an append and after compacting, and whoever reads the assets sees no difference.
pub(super) fn in_summary(format: &str) -> Names {
    Names::Nowhere(match format {
        "virtools" => &[
            "product",
            "kind",
            "object_count",
            "manager_count",
            "max_id",
            "stored",
            "stored_size",
            "unpacked_size",
            "tail_size",
            "classes",
            "plugins",
            "included_files",
            "included_count",
            "evidence",
        ],
        "snpak" => &[
            "generation",
            "generations",
            "index_chain",
            "flags",
            "trailing_size",
            "view",
            "asset_count",
            "bulk_count",
            "string_count",
            "compression",
            "kinds",
            "stored_size",
            "unpacked_size",
            "wasted_size",
            "dependency_owner_count",
            "dependency_count",
        ],
        "spellforce-pak" => &[
            "entry_count",
            "data_start",
            "stored",
            "root_index",
            "data_size",
            "file_size",
            "padding_size",
            "evidence",
        ],
        "spellforce-pakdata" => &["pak_count", "entry_count"],
        "spellforce-set" => &[
            "archive_count",
            "loose_count",
            "entry_count",
            "path_count",
            "shadowed_count",
            "archives",
            "evidence",
        ],
        _ => &[
            "checksum",
            "chunk_count",
            "packed_count",
            "rows",
            "languages",
            "map_size",
            "map",
            "stored_size",
            "unpacked_size",
            "evidence",
        ],
    })
}
