interface GuidePage {
  name: string;
  /** In the navigation; the heading of the document may be longer. */
  label: string;
  /** The document, from the project's root. */
  file: string;
}

interface PageGroup {
  title: string;
  pages: GuidePage[];
}

const guide = (name: string, label: string): GuidePage => ({ name, label, file: `docs/guides/${name}.md` });

export const pageGroups: PageGroup[] = [
  { title: 'Start', pages: [guide('first-request', 'First request'), guide('clients', 'Clients and generators')] },
  {
    title: 'Products and stock',
    pages: [guide('sync-a-catalogue', 'Sync a catalogue'), guide('bulk-prices', 'Bulk prices with a dry run')],
  },
  { title: 'Sales', pages: [guide('accounting-export', 'Accounting export')] },
  {
    title: 'Webhooks',
    pages: [
      guide('verify-a-webhook', 'Verify a webhook'),
      guide('close-a-gap', 'Close a gap'),
      { name: 'webhooks', label: 'All rules of webhooks', file: 'docs/webhooks.md' },
    ],
  },
  {
    title: 'Working reliably',
    pages: [
      guide('errors', 'Errors'),
      guide('limits-and-retries', 'Limits and retries'),
      guide('idempotency', 'Idempotency-Key'),
      guide('versioning', 'Versioning'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      { name: 'api', label: 'All rules of the API', file: 'docs/api.md' },
      { name: 'changelog', label: 'Changelog', file: 'CHANGELOG.md' },
    ],
  },
];

/** Pages that are not made from a document, and are listed after them. */
export const otherPages = [
  { path: '/docs/events', label: 'Event catalogue' },
  { path: '/docs/reference', label: 'Endpoints for keys' },
  { path: '/docs/reference/staff', label: 'Endpoints for staff' },
];

export const guidePages: GuidePage[] = pageGroups.flatMap(({ pages }) => pages);
