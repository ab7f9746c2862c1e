import { Group, Modal, type ModalRootProps } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../language/t.ts';

interface DialogProps extends Pick<ModalRootProps, 'size' | 'zIndex' | 'closeOnClickOutside'> {
  title?: string;
  /** Absent: it cannot be closed, and what is behind it cannot be read. */
  onClose?: () => void;
  /** Something is being sent: it stays until the answer comes, as what was sent cannot be taken back. */
  busy?: boolean;
  withCloseButton?: boolean;
  children: ReactNode;
}

const blurPx = 12;

/** At once: the library's trap does it by a timer, and what is typed meanwhile would go into the page behind. */
const focusFirst = (body: HTMLDivElement | null): void =>
  body?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });

/** Escape reaches every dialog that is open. */
const isOnTop = (body: HTMLDivElement | null): boolean => [...document.querySelectorAll('[role="dialog"]')].at(-1)?.contains(body) === true;

/** A dialog that is there while it is open; what had the focus before has it again afterwards. */
export function Dialog({ title, onClose, busy = false, withCloseButton = onClose !== undefined, children, ...rest }: DialogProps) {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
  const body = useRef<HTMLDivElement>(null);
  const hold = useCallback((element: HTMLDivElement | null) => {
    body.current = element;
    focusFirst(element);
  }, []);
  const close = () => {
    if (!busy && isOnTop(body.current)) onClose?.();
  };
  return (
    <Modal.Root opened centered onClose={close} {...rest}>
      <Modal.Overlay blur={onClose ? undefined : blurPx} />
      <Modal.Content>
        {/* No header element: one dialog over another would be two banners of the page. */}
        {(title || withCloseButton) && (
          <Group justify="space-between" wrap="nowrap" p="md" pb="sm">
            <Modal.Title lh={1.3} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Modal.Title>
            {withCloseButton && <Modal.CloseButton aria-label={t('Close')} aria-disabled={busy} />}
          </Group>
        )}
        <Modal.Body ref={hold}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
