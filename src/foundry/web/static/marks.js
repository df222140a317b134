export async function markPlace() {}
