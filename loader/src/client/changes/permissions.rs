//! What changed in permissions.

use super::{Change, change};

pub(super) const CHANGES: &[Change] = &[
    // The change point was not searched.
    change(
        (2, 1, 198),
        "fact 97",
        "fewer options of `file` and `which` need no permission rule",
        |b| {
            b.read_only_options_tight = true;
        },
    ),
    // The change point was not searched.
    change(
        (2, 1, 198),
        "fact 98",
        "relative patterns of deny rules hold in every directory of the session",
        |b| {
            b.relative_denies_in_directories = true;
        },
    ),
    change(
        (2, 1, 200),
        "fact 88",
        "in an untrusted folder local settings grant outside git too",
        |b| {
            b.local_grants_need_git = false;
        },
    ),
    // 2.1.212 and 2.1.213 were not tried.
    change(
        (2, 1, 214),
        "fact 89",
        "allowManagedPermissionRulesOnly takes away --allowedTools",
        |b| {
            b.managed_rules_bind_flags = true;
        },
    ),
    // 2.1.228 was not tried.
    change(
        (2, 1, 229),
        "fact 90",
        "Read denies bind Write and Edit",
        |b| {
            b.read_denies_bind_writes = true;
        },
    ),
    // 2.1.249 to 2.1.264 were not tried.
    change(
        (2, 1, 265),
        "fact 91",
        "permission rules see commands in groups and substitutions, and more readers",
        |b| {
            b.rules_see_nested = true;
        },
    ),
    change(
        (2, 1, 265),
        "fact 92",
        "settings of a project cannot choose bypassPermissions",
        |b| {
            b.project_bypass_ignored = true;
        },
    ),
    change(
        (2, 1, 285),
        "fact 93",
        "deny rules see programs named with their folder, and through quotes",
        |b| {
            b.rules_see_program_names = true;
            b.rules_see_quoted = true;
        },
    ),
    change(
        (2, 1, 309),
        "fact 94",
        "acceptEdits lets commands run by themselves only",
        |b| {
            b.accept_edits_plain = true;
        },
    ),
    // 2.1.310 to 2.1.314 were not tried.
    change(
        (2, 1, 315),
        "fact 95",
        "the value of a variable that a command sets itself is not taken",
        |b| {
            b.own_variables_told = false;
        },
    ),
    // 2.1.317 to 2.1.322 were not tried.
    change(
        (2, 1, 323),
        "fact 96",
        "what `timeout N` runs needs no rule where it changes nothing",
        |b| {
            b.timeout_reads = true;
        },
    ),
    // 2.1.317 to 2.1.322 were not tried.
    change(
        (2, 1, 323),
        "fact 101",
        "allow rules as `Read(*)` hold in the session's directories only",
        |b| {
            b.star_in_directories = true;
        },
    ),
    // 2.1.324 was not tried.
    change(
        (2, 1, 325),
        "fact 109",
        "an assignment by itself asks until a command has run",
        |b| {
            b.first_assignment_asks = true;
        },
    ),
];
