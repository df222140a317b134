schema-unknown = There is no document { $name }.
    .fix = Run `foundry schema` to list them.
