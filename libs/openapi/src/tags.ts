import { type Endpoint, type Resource, resources } from '@store/contract';

interface Tag {
  name: string;
  description: string;
}

const byPath = new Map(resources().map((resource: Resource) => [resource.path, resource]));

export function tagOf({ path, rpc }: Endpoint): Tag {
  const resource = byPath.get(path.split('/')[1]!);
  if (!resource) throw new Error(`${rpc}: no service declares the resource of ${path}`);
  return { name: resource.title, description: resource.description };
}

export function tagsOf(served: Endpoint[]): Tag[] {
  return [...new Map(served.map((endpoint) => [tagOf(endpoint).name, tagOf(endpoint)])).values()];
}
