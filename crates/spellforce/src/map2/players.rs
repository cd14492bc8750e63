//! Teams and players (chunk 9000) and the settings of computer players (3000): `docs/formats/map2.md#2-teams-and-players`,
//! `docs/formats/map2.md#17-computer-players`.

use super::layout::{Part, Section, SectionForm, Structure, key, list, text, value, version};
use spelunk_core::field::Role;

const PAGE: &str = "docs/formats/map2.md#2-teams-and-players";
const COMPUTER_PAGE: &str = "docs/formats/map2.md#17-computer-players";

pub(super) static TEAMS: Section = Section {
    id: 9000,
    name: "teams",
    title: "teams and players",
    data_type: 3,
    form: SectionForm::Single(&ALL),
};

static ALL: Structure = Structure::new(
    "teams",
    PAGE,
    "The teams of the map and how they stand to each other.",
    &[
        list!("setups", "setup_count", U32, &SETUP),
        key!("relation_version", U8, "Version of the layout of the relations.", &[4]),
        list!("relations", "relation_count", U16, &RELATION),
        list!("by_name", "name_count", U16, &NAME),
    ],
);

static SETUP: Structure = Structure::new(
    "setup",
    PAGE,
    "A way in which the map is played.",
    &[version!(&[3]), text!("name", "Name of the setup."), list!("teams", "team_count", U8, &TEAM)],
);

static TEAM: Structure = Structure::new(
    "team",
    PAGE,
    "A team.",
    &[
        text!("name", "Name of the team."),
        value!("index", U8, "The number by which units and buildings name the team."),
        value!(
            "number",
            U8,
            "41 to 43 for teams without players, else the number of the first player."
        ),
        list!("players", "player_count", U8, &PLAYER),
    ],
);

static PLAYER: Structure = Structure::new(
    "player",
    PAGE,
    "A player.",
    &[
        value!(
            "control",
            U8,
            "Who plays.",
            values(&[(1, "person"), (2, "computer"), (3, "free seat")])
        ),
        text!("name", "Name of the player."),
        value!(
            "race",
            U8,
            "Race of the player.",
            values(&[
                (1, "realm"),
                (2, "clans"),
                (3, "pact"),
                (4, "any"),
                (5, "undead"),
                (6, "beasts"),
                (8, "shaikan"),
            ])
        ),
        value!("number", U8, "Number of the player."),
        text!("kit", "Tag of the player's kit."),
    ],
);

static RELATION: Structure = Structure::new(
    "relation",
    PAGE,
    "How a team stands to another.",
    &[
        value!("team", U8, "Index of the team."),
        value!("other_team", U8, "Index of the other team."),
        value!(
            "relation",
            I8,
            "How it stands to it.",
            values(&[(-1, "enemy"), (0, "neutral"), (1, "ally")])
        ),
    ],
);

static NAME: Structure = Structure::new(
    "team_name",
    PAGE,
    "A team by its name.",
    &[
        text!("name", "Name of the team, in capital letters."),
        value!("index", U8, "Index of the team."),
        value!("number", U8, "Number of the team."),
        value!("unknown", U32, "0 in all known maps.", role(Role::Opaque)),
    ],
);

pub(super) static COMPUTER_PLAYERS: Section = Section {
    id: 3000,
    name: "computer_players",
    title: "computer players",
    data_type: 1,
    form: SectionForm::Single(&COMPUTER),
};

static COMPUTER: Structure = Structure::new(
    "computer_players",
    COMPUTER_PAGE,
    "How computer players play.",
    &[version!(&[1]), list!("players", "player_count", U32, &COMPUTER_PLAYER)],
);

static COMPUTER_PLAYER: Structure = Structure::new(
    "computer_player",
    COMPUTER_PAGE,
    "How a computer player plays.",
    &[
        text!("player", "Name of the player."),
        version!(&[1, 2]),
        list!("values", "value_count", U32, &SETTING),
        list!("targets", "target_count", U32, &TARGET),
        list!("pairs", "pair_count", U32, &PAIR),
        list!("list_1", "list_1_count", U32, &LIST),
        Part::When(&[2], &[list!("list_2", "list_2_count", U32, &LIST)]),
    ],
);

static SETTING: Structure = Structure::new(
    "setting",
    COMPUTER_PAGE,
    "A setting by its number.",
    &[
        value!("number", U32, "Number of the setting."),
        value!("value", I32, "Its value, of unknown meaning.", role(Role::Opaque)),
    ],
);

static TARGET: Structure = Structure::new(
    "target",
    COMPUTER_PAGE,
    "What the player goes for.",
    &[text!("target", "A tag, a team or a player.")],
);

static PAIR: Structure = Structure::new(
    "pair",
    COMPUTER_PAGE,
    "Two numbers of unknown meaning.",
    &[
        value!("unknown_1", U32, "Of unknown meaning.", role(Role::Opaque)),
        value!("unknown_2", U32, "Of unknown meaning.", role(Role::Opaque)),
    ],
);

static LIST: Structure = Structure::new(
    "unknown_list",
    COMPUTER_PAGE,
    "Numbers of unknown meaning, of buildings or units perhaps.",
    &[value!("unknown", U32, "Of unknown meaning.", role(Role::Opaque))],
);
