export function watchSources() {}
