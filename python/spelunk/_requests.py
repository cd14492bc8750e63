"""What the verbs are asked. Made by `tools/requests.py` of the schemas of the library."""

# pyright: reportUnusedImport=false

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Unpack, overload, Literal, NotRequired, TypeAlias, TypedDict

from ._call import Errors, Rows
from ._file import File


Handle: TypeAlias = int


FileName: TypeAlias = str | os.PathLike[str]


ReportFormat: TypeAlias = Literal['sarif']


class FieldChange1(TypedDict):
    entry: str
    field: str
    value: str


FieldChange: TypeAlias = str | FieldChange1


Kind: TypeAlias = Literal['glb', 'gltf', 'obj', 'png', 'dds', 'ktx2', 'csv', 'sqlite', 'po', 'dot', 'json', 'folder']


Policy: TypeAlias = str


TextureSave: TypeAlias = str


Only: TypeAlias = Literal['geometry', 'animations', 'behaviors']


Whose: TypeAlias = Literal['ours', 'theirs', 'refuse']


IdVersion: TypeAlias = Literal['v5', 'v4']


Readers: TypeAlias = Literal['v5', 'v4', 'compat']


class PackRequest(TypedDict):
    source: NotRequired[FileName | None]
    files_from: NotRequired[FileName | None]
    output: NotRequired[FileName]
    dialect: NotRequired[str | None]
    compress: NotRequired[Sequence[str]]
    only_if_smaller: NotRequired[bool]
    kind: NotRequired[Sequence[str]]
    payload_type: NotRequired[Sequence[str]]
    types: NotRequired[FileName | None]
    uuid: NotRequired[IdVersion]
    target: NotRequired[Readers]
    block_limit: NotRequired[int | None]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


class CatalogRequest(TypedDict):
    trees: NotRequired[Sequence[FileName]]
    recursive: NotRequired[bool]
    files_from: NotRequired[FileName | None]
    output: NotRequired[FileName]
    exclude: NotRequired[Sequence[str]]
    full: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


FileRef: TypeAlias = File | Handle | FileName


class InfoRequest(TypedDict):
    files: NotRequired[Sequence[FileRef]]
    recursive: NotRequired[bool]
    files_from: NotRequired[FileName | None]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]
    missing_plugins: NotRequired[bool]
    registry: NotRequired[FileName | None]
    gamedata: NotRequired[FileName | None]
    short: NotRequired[bool]
    for_people: NotRequired[bool]
    max_items: NotRequired[int | None]


class LsRequest(TypedDict):
    file: NotRequired[FileRef]
    globs: NotRequired[Sequence[str]]
    exclude: NotRequired[Sequence[str]]
    recursive: NotRequired[bool]
    sort: NotRequired[str | None]
    reverse: NotRequired[bool]
    columns: NotRequired[Sequence[str]]
    offset: NotRequired[int]
    limit: NotRequired[int | None]
    blocks: NotRequired[bool]
    language: NotRequired[str | None]
    require_match: NotRequired[bool]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]


class TreeRequest(TypedDict):
    file: NotRequired[FileRef]
    path: NotRequired[str | None]
    flat: NotRequired[bool]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]


class ShowRequest(TypedDict):
    file: NotRequired[FileRef]
    path: NotRequired[str]
    offset: NotRequired[int]
    limit: NotRequired[int | None]
    for_people: NotRequired[bool]
    described: NotRequired[bool]
    max_items: NotRequired[int | None]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]


class CatRequest(TypedDict):
    file: NotRequired[FileRef]
    path: NotRequired[str]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]


class VerifyRequest(TypedDict):
    files: NotRequired[Sequence[FileRef]]
    recursive: NotRequired[bool]
    files_from: NotRequired[FileName | None]
    roundtrip: NotRequired[bool]
    against: NotRequired[FileName | None]
    coverage: NotRequired[bool]
    max: NotRequired[int | None]
    format: NotRequired[ReportFormat | None]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]


class ExtractRequest(TypedDict):
    file: NotRequired[FileRef]
    globs: NotRequired[Sequence[str]]
    directory: NotRequired[FileName]
    exclude: NotRequired[Sequence[str]]
    included: NotRequired[bool]
    no_skeleton: NotRequired[bool]
    recursive: NotRequired[bool]
    files_from: NotRequired[FileName | None]
    require_match: NotRequired[bool]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


class Mounted1(TypedDict):
    prefix: str
    file: FileRef


Mounted: TypeAlias = FileRef | Mounted1


RefsRequest = TypedDict(
    'RefsRequest',
    {
        'file': NotRequired[FileRef],
        'path': NotRequired[str | None],
        'closure': NotRequired[bool],
        'missing': NotRequired[bool],
        'with': NotRequired[Sequence[Mounted]],
        'no_optional': NotRequired[bool],
        'no_auxiliary': NotRequired[bool],
        'generation': NotRequired[str | None],
        'types': NotRequired[FileName | None],
        'archive_order': NotRequired[str | None],
        'no_loose': NotRequired[bool],
        'for_people': NotRequired[bool],
    },
)


class FindRequest(TypedDict):
    pattern: NotRequired[str]
    files: NotRequired[Sequence[FileRef]]
    duplicates: NotRequired[bool]
    recursive: NotRequired[bool]
    names: NotRequired[bool]
    whole: NotRequired[bool]
    require_match: NotRequired[bool]
    generation: NotRequired[str | None]


class OverlayRequest(TypedDict):
    packs: NotRequired[Sequence[Mounted]]
    only: NotRequired[Sequence[str]]
    prefer: NotRequired[Sequence[str] | None]
    conflicts: NotRequired[bool]
    missing: NotRequired[FileName | None]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]


class LintRequest(TypedDict):
    files: NotRequired[Sequence[FileRef]]
    recursive: NotRequired[bool]
    files_from: NotRequired[FileName | None]
    generation: NotRequired[str | None]
    rule: NotRequired[Sequence[str]]
    allow: NotRequired[Sequence[str]]
    search: NotRequired[Sequence[FileName]]
    gamedata: NotRequired[FileName | None]
    missing_report: NotRequired[bool]
    suppressions: NotRequired[FileName | None]
    since: NotRequired[FileName | None]
    write_suppressions: NotRequired[FileName | None]
    max: NotRequired[int | None]
    format: NotRequired[ReportFormat | None]
    list_rules: NotRequired[bool]
    fix: NotRequired[bool]
    merge_names: NotRequired[bool]
    remove_unused: NotRequired[bool]
    output: NotRequired[FileName | None]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


class RewriteRequest(TypedDict):
    file: NotRequired[FileRef]
    output: NotRequired[FileName | None]
    recompress: NotRequired[bool]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    file_version: NotRequired[int | None]
    write_mode: NotRequired[str | None]
    level: NotRequired[int | None]
    strip_included: NotRequired[bool]
    lossy: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


class DiffRequest(TypedDict):
    old: NotRequired[FileRef]
    new: NotRequired[FileRef]
    old_generation: NotRequired[str | None]
    new_generation: NotRequired[str | None]
    blocks: NotRequired[int | None]
    stat: NotRequired[bool]
    max_items: NotRequired[int | None]
    patch: NotRequired[FileName | None]
    for_people: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


SetRequest = TypedDict(
    'SetRequest',
    {
        'file': NotRequired[FileRef],
        'output': NotRequired[FileName | None],
        'in_place': NotRequired[bool],
        'backup': NotRequired[str | None],
        'history': NotRequired[bool],
        'force': NotRequired[bool],
        'dry_run': NotRequired[bool],
        'follow_links': NotRequired[bool],
        'changes': NotRequired[Sequence[FieldChange]],
        'recursive': NotRequired[bool],
        'from': NotRequired[FileName | None],
        'with_children': NotRequired[bool],
    },
)


RmRequest = TypedDict(
    'RmRequest',
    {
        'file': NotRequired[FileRef],
        'output': NotRequired[FileName | None],
        'in_place': NotRequired[bool],
        'backup': NotRequired[str | None],
        'history': NotRequired[bool],
        'force': NotRequired[bool],
        'dry_run': NotRequired[bool],
        'follow_links': NotRequired[bool],
        'paths': NotRequired[Sequence[str]],
        'from': NotRequired[FileName | None],
        'recursive': NotRequired[bool],
        'files_from': NotRequired[FileName | None],
        'lossy': NotRequired[bool],
    },
)


class MvRequest(TypedDict):
    file: NotRequired[FileRef]
    output: NotRequired[FileName | None]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]
    path: NotRequired[str]
    name: NotRequired[str]


AddRequest = TypedDict(
    'AddRequest',
    {
        'file': NotRequired[FileRef],
        'output': NotRequired[FileName | None],
        'in_place': NotRequired[bool],
        'backup': NotRequired[str | None],
        'history': NotRequired[bool],
        'force': NotRequired[bool],
        'dry_run': NotRequired[bool],
        'follow_links': NotRequired[bool],
        'path': NotRequired[str],
        'from': NotRequired[FileName | None],
        'raw': NotRequired[bool],
        'like': NotRequired[str | None],
    },
)


class ReplaceRequest(TypedDict):
    file: NotRequired[FileRef]
    output: NotRequired[FileName | None]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]
    path: NotRequired[str]
    source: NotRequired[FileName]
    raw: NotRequired[bool]


ExportRequest = TypedDict(
    'ExportRequest',
    {
        'file': NotRequired[FileRef],
        'paths': NotRequired[Sequence[str]],
        'output': NotRequired[FileName],
        'recursive': NotRequired[bool],
        'files_from': NotRequired[FileName | None],
        'to': NotRequired[Kind | None],
        'scripts': NotRequired[bool],
        'no_hidden': NotRequired[bool],
        'textures': NotRequired[Sequence[FileName]],
        'slot': NotRequired[int | None],
        'mips': NotRequired[bool],
        'as': NotRequired[str | None],
        'language': NotRequired[str | None],
        'source_language': NotRequired[str | None],
        'untranslated': NotRequired[bool],
        'layer': NotRequired[str | None],
        'scale': NotRequired[int | None],
        'height_scale': NotRequired[float | None],
        'generation': NotRequired[str | None],
        'types': NotRequired[FileName | None],
        'archive_order': NotRequired[str | None],
        'no_loose': NotRequired[bool],
        'force': NotRequired[bool],
        'dry_run': NotRequired[bool],
        'follow_links': NotRequired[bool],
    },
)


ImportRequest = TypedDict(
    'ImportRequest',
    {
        'source': NotRequired[FileName],
        'output': NotRequired[FileName | None],
        'into': NotRequired[FileRef | None],
        'in_place': NotRequired[bool],
        'backup': NotRequired[str | None],
        'history': NotRequired[bool],
        'on_conflict': NotRequired[Sequence[Policy]],
        'texture_save': NotRequired[Sequence[TextureSave]],
        'textures': NotRequired[FileName | None],
        'split': NotRequired[bool],
        'sectors': NotRequired[int | None],
        'replace': NotRequired[str | None],
        'from': NotRequired[str | None],
        'layer': NotRequired[str | None],
        'language': NotRequired[str | None],
        'source_language': NotRequired[str | None],
        'force': NotRequired[bool],
        'dry_run': NotRequired[bool],
        'follow_links': NotRequired[bool],
    },
)


class QueryRequest(TypedDict):
    files: NotRequired[Sequence[FileRef]]
    recursive: NotRequired[bool]
    files_from: NotRequired[FileName | None]
    sql: NotRequired[str | None]
    tables: NotRequired[bool]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]
    update: NotRequired[bool]
    output: NotRequired[FileName | None]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


class ExplainRequest(TypedDict):
    subject: NotRequired[FileRef | None]
    place: NotRequired[str | None]
    len: NotRequired[int | None]
    map: NotRequired[bool]
    hex: NotRequired[bool]
    entry: NotRequired[str | None]
    full: NotRequired[bool]
    within: NotRequired[bool]
    codes: NotRequired[bool]
    for_people: NotRequired[bool]
    generation: NotRequired[str | None]
    types: NotRequired[FileName | None]
    archive_order: NotRequired[str | None]
    no_loose: NotRequired[bool]


class PatchRequest(TypedDict):
    file: NotRequired[FileRef]
    output: NotRequired[FileName | None]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]
    patch: NotRequired[FileName]
    reverse: NotRequired[bool]
    partial: NotRequired[bool]


class JoinRequest(TypedDict):
    files: NotRequired[Sequence[FileRef]]
    output: NotRequired[FileName]
    on_conflict: NotRequired[Sequence[Policy]]
    only: NotRequired[Only | None]
    as_character: NotRequired[str | None]
    as_engines: NotRequired[bool]
    lossy: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


class MergeRequest(TypedDict):
    base: NotRequired[FileRef]
    ours: NotRequired[FileRef]
    theirs: NotRequired[Sequence[FileRef]]
    output: NotRequired[FileName | None]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    on_conflict: NotRequired[Whose]
    part: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


SubsetRequest = TypedDict(
    'SubsetRequest',
    {
        'file': NotRequired[FileRef],
        'paths': NotRequired[Sequence[str]],
        'output': NotRequired[FileName],
        'references': NotRequired[bool],
        'children': NotRequired[bool],
        'lossy': NotRequired[bool],
        'with': NotRequired[Sequence[Mounted]],
        'no_optional': NotRequired[bool],
        'no_auxiliary': NotRequired[bool],
        'force': NotRequired[bool],
        'dry_run': NotRequired[bool],
        'follow_links': NotRequired[bool],
    },
)


AppendRequest = TypedDict(
    'AppendRequest',
    {
        'file': NotRequired[FileRef],
        'sources': NotRequired[Sequence[FileName]],
        'files_from': NotRequired[FileName | None],
        'manifest': NotRequired[FileName | None],
        'compress': NotRequired[Sequence[str]],
        'only_if_smaller': NotRequired[bool],
        'kind': NotRequired[Sequence[str]],
        'payload_type': NotRequired[Sequence[str]],
        'types': NotRequired[FileName | None],
        'uuid': NotRequired[IdVersion],
        'target': NotRequired[Readers],
        'block_limit': NotRequired[int | None],
        'as': NotRequired[str | None],
        'force': NotRequired[bool],
        'dry_run': NotRequired[bool],
        'follow_links': NotRequired[bool],
    },
)


class CompactRequest(TypedDict):
    file: NotRequired[FileRef]
    output: NotRequired[FileName | None]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]
    target: NotRequired[Readers]
    block_limit: NotRequired[int | None]


class RepairRequest(TypedDict):
    file: NotRequired[FileRef]
    output: NotRequired[FileName | None]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]
    target: NotRequired[Readers]
    block_limit: NotRequired[int | None]


class RollbackRequest(TypedDict):
    file: NotRequired[FileRef]
    output: NotRequired[FileName | None]
    in_place: NotRequired[bool]
    backup: NotRequired[str | None]
    history: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]
    generation: NotRequired[int]


class UpgradeRequest(TypedDict):
    files: NotRequired[Sequence[FileRef]]
    recursive: NotRequired[bool]
    files_from: NotRequired[FileName | None]
    directory: NotRequired[FileName]
    file_version: NotRequired[int | None]
    lossy: NotRequired[bool]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


class HistoryRequest(TypedDict):
    file: NotRequired[FileRef]
    patch: NotRequired[int | None]


class UndoRequest(TypedDict):
    file: NotRequired[FileRef]
    steps: NotRequired[int]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


class RedoRequest(TypedDict):
    file: NotRequired[FileRef]
    steps: NotRequired[int]
    force: NotRequired[bool]
    dry_run: NotRequired[bool]
    follow_links: NotRequired[bool]


class Call(Protocol):
    """``spelunk.call``, which knows what each verb is asked."""

    @overload
    def __call__(
        self,
        verb: Literal['info'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[InfoRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['ls'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[LsRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['tree'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[TreeRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['show'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[ShowRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['cat'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[CatRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['verify'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[VerifyRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['extract'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[ExtractRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['refs'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[RefsRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['find'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[FindRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['overlay'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[OverlayRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['lint'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[LintRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['rewrite'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[RewriteRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['diff'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[DiffRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['set'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[SetRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['rm'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[RmRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['mv'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[MvRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['add'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[AddRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['replace'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[ReplaceRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['export'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[ExportRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['import'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[ImportRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['query'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[QueryRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['explain'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[ExplainRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['patch'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[PatchRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['join'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[JoinRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['merge'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[MergeRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['subset'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[SubsetRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['pack'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[PackRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['append'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[AppendRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['compact'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[CompactRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['repair'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[RepairRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['rollback'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[RollbackRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['upgrade'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[UpgradeRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['history'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[HistoryRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['undo'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[UndoRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['redo'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[RedoRequest],
    ) -> Rows: ...

    @overload
    def __call__(
        self,
        verb: Literal['catalog'],
        /,
        *,
        errors: Errors = ...,
        options: Mapping[str, Any] | None = ...,
        **request: Unpack[CatalogRequest],
    ) -> Rows: ...
