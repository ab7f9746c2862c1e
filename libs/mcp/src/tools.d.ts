export interface Tool {
  name: string;
  kind: 'read' | 'tried' | 'confirmed';
  definition: {
    name: string;
    description: string;
    inputSchema: { type: 'object'; properties: Record<string, unknown>; required: string[] };
    annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  };
}

export function toolsOf(
  document: object,
  key: { scopes: string[]; test_mode: boolean },
  allowed?: { writes?: boolean; subscriptions?: boolean },
): Tool[];
