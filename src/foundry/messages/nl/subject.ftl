subject-other-document = ‘{ $title }’ gaat niet over { $names }
subject-other-period = de passage gaat over een andere periode dan { $periods }
subject-other-revision = { $revision } van hetzelfde document gaat voor
subject-set-aside = { $status }; { $path } is de versie die geldt
