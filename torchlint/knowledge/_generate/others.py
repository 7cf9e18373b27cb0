"""Method and attribute names of libraries that need not be installed to write the tables.

Listed with dir() from instances: pandas 3.1.1 (Series, DataFrame, groupby, rolling, Index, Timestamp, .str, .dt),
polars 2.1.0 (Series, DataFrame, LazyFrame, Expr), scipy 1.17.1 sparse arrays, Pillow 13.0.0 Image, numpy.ma.
"""

OTHER_LIBRARIES = frozenset(
    """
    T a abs add add_prefix add_suffix agg aggregate alias align all alpha_composite and_ anom any append apply
    apply_transparency approx_n_unique approx_quantile arccos arccosh arcsin arcsinh arctan arctanh arg_max arg_min
    arg_sort arg_true arg_unique argmax argmin argpartition argsort arr array as_unit asformat asfptype asfreq asm8
    asof asof_locs assign astimezone astype at at_time attrs autocorr axes backward_fill base baseclass between
    between_time bfill bin bin_intervals bin_quantiles bin_ranks bitwise_and bitwise_count_ones bitwise_count_zeros
    bitwise_leading_ones bitwise_leading_zeros bitwise_or bitwise_trailing_ones bitwise_trailing_zeros bitwise_xor
    bottom_k bottom_k_by boxplot byteswap cache capitalize case_when casefold cast cat cbrt ceil center check_format
    choose chunk_lengths clear clip clone close closed col collect collect_async collect_batches collect_schema
    columns combine combine_first compare compress compressed conj conjugate contains convert convert_dtypes coords
    copy corr corrwith cos cosh cot count count_nonzero cov crop ctime ctypes cum_count cum_max cum_min cum_prod
    cum_sum cumcount cummax cummin cumprod cumsum cumulative_eval cut data date day day_name day_of_week day_of_year
    dayofweek dayofyear days_in_month daysinmonth decode deg2rad degrees delete describe deserialize device diagonal
    diff difference div divide divmod dot draft drop drop_duplicates drop_in_place drop_nans drop_nulls droplevel
    dropna dst dt dtype dtypes dump dumps duplicated effect_spread eliminate_zeros empty encode endswith entropy eq
    eq_missing equals erf erfc estimated_size eval ewm ewm_mean ewm_mean_by ewm_std ewm_sum ewm_sum_by ewm_var exclude
    exclusions execute exp expanding explain explode expm1 ext extend extend_constant extract extractall factorize
    ffill fill fill_nan fill_null fill_value filled fillna filter find findall first first_valid_index flags flat
    flatten floor floordiv fold format format_description forward_fill freq from_arrow from_dict
    from_lazyframe_resolver from_range from_records frombytes fromisocalendar fromisoformat fromordinal fromtimestamp
    fullmatch gather gather_every ge get getH get_chunks get_column get_column_index get_columns get_dummies
    get_fill_value get_flattened_data get_group get_imag get_indexer get_indexer_for get_indexer_non_unique
    get_level_values get_loc get_real get_shape get_slice_bound getbands getbbox getchannel getcol getcolors getdata
    getexif getextrema getfield getformat getim getmaxprint getnnz getpalette getpixel getprojection getrow getxmp
    glimpse group_by group_by_dynamic groupby groups gt harden_mask hardmask has_canonical_format has_duplicates
    has_nulls has_sorted_indices has_transparency_data hash hash_rows hasnans head height hist histogram hour hstack
    iat identical ids idxmax idxmin iloc im imag implode index index_of indices indptr infer_objects inferred_type
    info insert insert_column inspect interpolate interpolate_by intersection is_ is_between is_close is_duplicated
    is_empty is_finite is_first_distinct is_in is_infinite is_last_distinct is_leap_year is_monotonic_decreasing
    is_monotonic_increasing is_month_end is_month_start is_nan is_not_nan is_not_null is_null is_quarter_end
    is_quarter_start is_sorted is_unique is_year_end is_year_start isalnum isalpha isascii iscontiguous isdecimal
    isdigit isetitem isin islower isna isnull isnumeric isocalendar isoformat isoweekday isspace istitle isupper item
    items itemsize iter_columns iter_rows iter_slices iterrows itertuples join join_asof join_where keys kurt kurtosis
    last last_valid_index lazy le len limit list ljust load loc log log10 log1p lower lower_bound lstrip lt mT map
    map_batches map_columns map_elements map_rows mask match match_to_schema max max_by max_horizontal maximum
    maxprint mean mean_horizontal median melt memory_usage merge merge_sorted meta method microsecond min min_by
    min_horizontal min_periods minimum minute mod mode month month_name mul multiply n_chunks n_unique name names
    nan_max nan_min nanmax nanmin nanosecond nbytes ndim ne ne_missing neg new_from_index ngroup ngroups nlargest
    nlevels nnz nonzero normalize not_ notna notnull now nsmallest nth null_count nunique obj ohlc on or_ over pad
    palette partition partition_by paste pct_change peak_max peak_min pipe pipe_with_dtype pipe_with_schema pivot
    pivot_table plot point pop pow power prod product prune ptp put putalpha putdata putmask putpalette putpixel qcut
    quantile quantize quarter query rad2deg radd radians rank ravel rdiv rdivmod readonly real rechunk recordmask
    reduce reindex reindex_like reinterpret remap_palette remote remove removeprefix removesuffix rename rename_axis
    reorder_levels repeat repeat_by replace replace_column replace_strict resample reset_index reshape resize
    resolution reverse rfind rfloordiv rindex rint rjust rle rle_id rmod rmul rolling rolling_kurtosis rolling_map
    rolling_max rolling_max_by rolling_mean rolling_mean_by rolling_median rolling_median_by rolling_min
    rolling_min_by rolling_quantile rolling_quantile_by rolling_rank rolling_rank_by rolling_skew rolling_std
    rolling_std_by rolling_sum rolling_sum_by rolling_var rolling_var_by rotate round round_sig_figs row rows
    rows_by_key rpartition rpow rsplit rstrip rsub rtruediv sample save scatter schema search_sorted searchsorted
    second seek select select_dtypes select_seq sem serialize set set_axis set_fill_value set_flags set_index
    set_names set_shape set_sorted setdiag setfield setflags shape sharedmask shift show show_graph shrink_dtype
    shrink_mask shrink_to_fit shuffle sign sin sinh sink_batches sink_csv sink_delta sink_iceberg sink_ipc sink_ndjson
    sink_parquet size skew slice slice_indexer slice_locs slice_replace soften_mask sort sort_by sort_index
    sort_indices sort_values sorted_indices sortlevel split sql sqrt squeeze stack start startswith std step stop str
    strftime strides strip strptime struct style sub subtract sum sum_duplicates sum_horizontal swapaxes swapcase
    swaplevel symmetric_difference tail take tan tanh tell tensordot thumbnail time timestamp timetuple timetz title
    to_arrow to_clipboard to_csv to_datetime64 to_device to_dict to_dicts to_dummies to_excel to_feather to_flat_index
    to_frame to_hdf to_html to_iceberg to_init_repr to_jax to_json to_julian_date to_latex to_list to_markdown
    to_numpy to_orc to_pandas to_parquet to_period to_physical to_pickle to_pydatetime to_records to_series to_sql
    to_stata to_string to_struct to_timestamp to_torch to_xarray to_xml toarray tobitmap tobsr tobytes tocoo tocsc
    tocsr today todense todia todok tofile toflex tolil tolist toordinal top_k top_k_by toqimage toqpixmap torecords
    trace transform translate transpose truediv trunc truncate truncdiv tz tz_convert tz_localize tzinfo tzname union
    unique unique_counts unit unnest unpivot unshare_mask unstack update upper upper_bound upsample utcfromtimestamp
    utcnow utcoffset utctimetuple value value_counts values var verify view vstack week weekday weekofyear where width
    win_type window with_columns with_columns_seq with_row_index wrap write_avro write_clipboard write_csv
    write_database write_delta write_excel write_iceberg write_ipc write_ipc_stream write_json write_ndjson
    write_parquet xor xs year zfill zip_with
    """.split()
)
