import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface LinkToProps extends AnchorProps {
  to: string;
  children: ReactNode;
}

/** A link to another page of the panel. */
export function LinkTo(props: LinkToProps) {
  return <Anchor component={Link} size="sm" {...props} />;
}
