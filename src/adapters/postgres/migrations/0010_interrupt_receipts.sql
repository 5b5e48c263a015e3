-- A load that was cut off and is sent again closes the receipt that it left open.
ALTER TABLE receipts DROP CONSTRAINT receipts_status_check;
ALTER TABLE receipts ADD CONSTRAINT receipts_status_check CHECK (status IN
    ('accepted', 'proposed', 'processing', 'completed', 'discarded', 'failed', 'refused', 'unchanged', 'interrupted'));
