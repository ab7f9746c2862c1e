import { Paper, Skeleton, Text } from '@mantine/core';

interface FigureProps {
  label: string;
  /** Undefined while it loads. */
  value: string | undefined;
  note?: string;
  bad?: boolean;
}

/** One number of the day. */
export function Figure({ label, value, note, bad = false }: FigureProps) {
  return (
    <Paper p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton height={30} width="60%" my={4} />
      ) : (
        <Text fz={22} fw={700} lh={1.3} className="numeric" c={bad ? 'red' : undefined}>
          {value}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {note ?? '\u00a0'}
      </Text>
    </Paper>
  );
}
