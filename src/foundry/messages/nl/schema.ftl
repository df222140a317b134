schema-unknown = Er is geen document { $name }.
    .fix = Voer `foundry schema` uit voor de lijst.
