subject-other-document = “{ $title }” is not about { $names }
subject-other-period = the passage is of another period than { $periods }
subject-other-revision = { $revision } of the same document comes before this one
subject-set-aside = { $status }; { $path } is the final version
