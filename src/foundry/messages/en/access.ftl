access-role-too-low = This needs the role 'secret', but the role here is '{ $role }'.
    .fix = Leave out --role, or use a token with the role 'secret'. If access.role is lower, set FOUNDRY_ACCESS__ROLE=secret.
access-role-too-high = The role '{ $role }' is above this project's role '{ $owner }'.
    .fix = A role can only be lowered; the project's own is set by access.role.
