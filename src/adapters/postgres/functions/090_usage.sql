-- What an organization has spent on models since the month began (UTC), over all its scopes, and its limit, in millionths.
CREATE OR REPLACE FUNCTION spent_this_month(p_organization uuid) RETURNS TABLE (spent bigint, spending_limit bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT coalesce(sum(u.price_micros), 0)::bigint, max(o.monthly_model_limit_micros)
    FROM organizations o
    LEFT JOIN usage u ON u.organization_id = o.organization_id
         AND u.day >= date_trunc('month', now() AT TIME ZONE 'UTC')::date
    WHERE o.organization_id = p_organization
$$;

-- A model without a price costs nothing, and its tokens are still counted.
CREATE OR REPLACE FUNCTION model_price(p_model text, p_input bigint, p_output bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = assay, public AS $$
    SELECT coalesce((SELECT (p.input_micros * p_input + p.output_micros * p_output) / 1000000
                     FROM model_prices p WHERE p.model = p_model), 0)
$$;
