import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { Confirm } from '../parts/confirm.tsx';

export function RevokeKey({ apiKey, onClose }: { apiKey: Schemas['ApiKey'] | undefined; onClose: () => void }) {
  const revoke = useWrite('revokeApiKey', {
    changes: ['listApiKeys', 'listMonitor'],
    done: t('The key is revoked'),
    onDone: onClose,
    quiet: true,
  });
  return (
    <Confirm
      opened={apiKey !== undefined}
      title={t('Revoke {name}?', { name: apiKey?.name })}
      action={t('Revoke the key')}
      sent={revoke}
      onConfirm={() => apiKey && revoke.mutate({ params: { id: apiKey.id } })}
      onClose={onClose}
    >
      {t('Every program that uses it is refused from its next request on, and its webhooks stop. This cannot be undone.')}
    </Confirm>
  );
}
