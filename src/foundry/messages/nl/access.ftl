access-whole-project = Hiervoor is de rol secret nodig; de rol is nu { $role }.
    .fix = Laat --role weg. Is access.role lager, start het dan met FOUNDRY_ACCESS__ROLE=secret.
access-role-too-high = De rol { $role } is hoger dan de rol van dit project, { $highest }.
    .fix = Een rol kan alleen lager worden gekozen; die van het project staat in access.role.
