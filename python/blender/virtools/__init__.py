"""Virtools files in Blender: File > Import and Export, and what is wrong with a level in the sidebar of the 3D view."""

from __future__ import annotations

import os

import bpy
import spelunk
from bpy.props import BoolProperty, CollectionProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from .reading import FILE, INDEX, Options, Reader
from .writing import Writer, root_of

EXTENSIONS = "*.nmo;*.cmo;*.vmo;*.nms"
TURN = 0.05
"""Seconds of work between two looks at the keyboard."""


class Work:
    """Work that is shown while it goes on, and ended with Escape; all at once where nobody watches."""

    def begin(self, context, steps):
        self.steps = steps
        if bpy.app.background:
            for _ in steps:
                pass
            return self.finish(context)
        self.timer = context.window_manager.event_timer_add(0.001, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        import time

        if event.type == "ESC":
            self.steps.close()
            return self.end(context, {"CANCELLED"})
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        until = time.monotonic() + TURN
        try:
            while time.monotonic() < until:
                context.window_manager.progress_update(100 * next(self.steps))
        except StopIteration:
            return self.end(context, self.finish(context))
        except spelunk.Error as error:
            self.report({"ERROR"}, str(error))
            return self.end(context, {"CANCELLED"})
        return {"RUNNING_MODAL"}

    def end(self, context, result):
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        return result


class ImportVirtools(Work, bpy.types.Operator, ImportHelper):
    """Import objects, meshes, materials, textures and groups of a Virtools file"""

    bl_idname = "import_scene.virtools"
    bl_label = "Import Virtools"
    bl_options = {"UNDO"}

    filename_ext = ".nmo"
    filter_glob: StringProperty(default=EXTENSIONS, options={"HIDDEN"})
    textures: StringProperty(name="Textures", description="Folder of textures, beside those where they are looked for", subtype="DIR_PATH")
    code_pages: StringProperty(name="Code pages", description="Of names that are not in Windows-1252: gbk, cp932, cp949")
    pictures: BoolProperty(name="Pictures", description="Load the pictures of textures", default=True)

    def execute(self, context):
        try:
            folders = [self.textures] if self.textures else []
            self.reader = Reader(self.filepath, Options(folders, self.pictures, self.code_pages))
            return self.begin(context, self.reader.steps())
        except (spelunk.Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}

    def finish(self, context):
        reader = self.reader
        for warning in reader.warnings:
            self.report({"WARNING"}, warning)
        count = len(reader.objects)
        self.report({"INFO"}, f"{count} objects, {len(reader.meshes)} meshes, {len(reader.warnings)} warnings")
        return {"FINISHED"}


class ExportVirtools(Work, bpy.types.Operator, ExportHelper):
    """Export into the file that was imported, of which only what was changed is written, or into a new one"""

    bl_idname = "export_scene.virtools"
    bl_label = "Export Virtools"

    filename_ext = ".nmo"
    filter_glob: StringProperty(default=EXTENSIONS, options={"HIDDEN"})
    fresh: BoolProperty(name="New file", description="Write a new file, and nothing of the one that was imported", default=False)
    code_pages: StringProperty(name="Code pages", description="Of names that are not in Windows-1252: gbk, cp932, cp949")
    removes: BoolProperty(name="Remove", description="Remove objects from the file that were deleted here", default=True)
    selected: BoolProperty(name="Selected only", description="Only objects that are selected", default=False)
    names: BoolProperty(name="Textures by name", description="New textures as the names of their files, and not in the file", default=False)
    sectors: IntProperty(name="Sectors", description="Number of sectors, of which groups that are missing are made", default=0, min=0, max=999)

    def invoke(self, context, event):
        root = root_of(context)
        if root is not None:
            self.filepath = root[FILE]
        return super().invoke(context, event)

    def execute(self, context):
        root = root_of(context)
        base = None if root is None or self.fresh else root[FILE]
        try:
            collection = root or context.scene.collection
            self.writer = Writer(collection, base, self.removes, self.code_pages, self.selected, self.names, self.sectors)
            return self.begin(context, self.writer.steps())
        except (spelunk.Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}

    def finish(self, context):
        try:
            self.writer.save(self.filepath)
        except (spelunk.Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for warning in self.writer.warnings:
            self.report({"WARNING"}, warning)
        changes = self.writer.changes
        shown = ", ".join(changes[:5]) + (f" and {len(changes) - 5} more" if len(changes) > 5 else "")
        self.report({"INFO"}, shown or "nothing was changed: the file is the same, byte for byte")
        return {"FINISHED"}


class VirtoolsFinding(bpy.types.PropertyGroup):
    """Something that lint says of a level."""

    severity: StringProperty()
    code: StringProperty()
    path: StringProperty()
    message: StringProperty()


class CheckVirtools(bpy.types.Operator):
    """Look for what loads and still is no good: missing textures, wrong sectors, names that are there twice"""

    bl_idname = "scene.virtools_check"
    bl_label = "Check the level"

    @classmethod
    def poll(cls, context):
        return root_of(context) is not None

    def execute(self, context):
        root = root_of(context)
        findings = context.window_manager.virtools_findings
        findings.clear()
        try:
            writer = Writer(root, root[FILE])
            for _ in writer.steps():
                pass
            found = writer.file.lint()
        except (spelunk.Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for finding in found:
            item = findings.add()
            item.severity, item.code = finding["severity"], finding["code"]
            item.path, item.message = finding["path"] or "", finding["message"]
        self.report({"INFO"}, f"{len(found)} findings")
        return {"FINISHED"}


class SelectFinding(bpy.types.Operator):
    """Select the object that a finding is about"""

    bl_idname = "scene.virtools_select"
    bl_label = "Select"

    path: StringProperty()

    def execute(self, context):
        index = self.path.split("/")[0].split(".")[0].lstrip("#")
        for made in bpy.data.objects:
            if str(made.get(INDEX)) == index or made.name == self.path.rsplit("/", 1)[-1]:
                made.select_set(True)
                context.view_layer.objects.active = made
                return {"FINISHED"}
        return {"CANCELLED"}


class VirtoolsPanel(bpy.types.Panel):
    """The file of what is shown, and what lint says of it."""

    bl_idname = "VIEW3D_PT_virtools"
    bl_label = "Virtools"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Virtools"

    def draw(self, context):
        root = root_of(context)
        layout = self.layout
        if root is None:
            layout.label(text="No level was imported")
            return
        layout.label(text=os.path.basename(root[FILE]), icon="FILE_3D")
        layout.operator(CheckVirtools.bl_idname, icon="CHECKMARK")
        icons = {"error": "ERROR", "warning": "INFO", "info": "DOT"}
        for finding in context.window_manager.virtools_findings:
            row = layout.row()
            row.label(text=f"{finding.code} {finding.message}", icon=icons.get(finding.severity, "DOT"))
            if finding.path:
                row.operator(SelectFinding.bl_idname, text="", icon="RESTRICT_SELECT_OFF").path = finding.path


CLASSES = (ImportVirtools, ExportVirtools, VirtoolsFinding, CheckVirtools, SelectFinding, VirtoolsPanel)


def import_menu(self, context):
    self.layout.operator(ImportVirtools.bl_idname, text="Virtools (.nmo, .cmo, .vmo, .nms)")


def export_menu(self, context):
    self.layout.operator(ExportVirtools.bl_idname, text="Virtools (.nmo, .cmo, .vmo, .nms)")


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.WindowManager.virtools_findings = CollectionProperty(type=VirtoolsFinding)
    bpy.types.TOPBAR_MT_file_import.append(import_menu)
    bpy.types.TOPBAR_MT_file_export.append(export_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(import_menu)
    del bpy.types.WindowManager.virtools_findings
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
