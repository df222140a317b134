access-role-too-low = Hiervoor is de rol 'secret' nodig, maar de rol is hier '{ $role }'.
    .fix = Laat --role weg, of gebruik een token met de rol 'secret'. Is access.role lager, zet dan FOUNDRY_ACCESS__ROLE=secret.
access-role-too-high = De rol '{ $role }' ligt boven de rol van dit project, '{ $owner }'.
    .fix = Een rol kan alleen worden verlaagd; die van het project staat in access.role.
